import { describe, expect, it } from 'vitest';
import { grouped, human, parseCount, short, spaced } from '../src/format';

describe('numbers', () => {
    it('have thin spaces from 1 000 up', () => {
        expect(grouped(999)).toBe('999');
        expect(grouped(1024)).toBe('1\u202f024');
        expect(grouped(16384000)).toBe('16\u202f384\u202f000');
    });

    it('are read back from what is written', () => {
        for (const value of [1, 950, 32000, 1.5e9, 1e8, 3.02e11]) {
            expect(parseCount(short(value))).toBe(value);
            expect(parseCount(grouped(value))).toBe(value);
        }
        expect(parseCount('2e8')).toBe(2e8);
        expect(parseCount(' 1.5 B ')).toBe(1.5e9);
    });

    it('are refused where they are none', () => {
        for (const text of ['', 'many', '-5', '0', '1e999', '1.5.2', '5 x', 'NaN', '0x10']) expect(parseCount(text), text).toBeNull();
    });

    it('have three figures and a unit', () => {
        expect(human(11307321344)).toBe('11.3 B');
        expect(human(999.4)).toBe('999');
        expect(human(999600)).toBe('1 M');
    });

    it('are spaced in the text of the engine, years excepted', () => {
        expect(spaced('Attention is 16384 wide (Wies 2021).')).toBe('Attention is 16\u202f384 wide (Wies 2021).');
        expect(spaced('width 2048, LEVINE-T4, 0.0312')).toBe('width 2\u202f048, LEVINE-T4, 0.0312');
        expect(spaced('Kaplan et al. 2020, figure 5')).toBe('Kaplan et al. 2020, figure 5');
    });
});

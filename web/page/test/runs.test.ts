import { describe, expect, it } from 'vitest';
import { csv, linearTicks, niceCeiling } from '../src/charts';
import { sorted, thinned, visibleRows, type Run } from '../src/views/runs';

const run = (id: string, loss: number | null) => ({ id, loss }) as Run;

describe('the list of runs', () => {
    it('sorts numbers as numbers, and those without one come last', () => {
        const runs = [run('a', 10), run('b', null), run('c', 9), run('d', 100)];
        expect(sorted(runs, 'loss', 1).map(({ id }) => id)).toEqual(['c', 'a', 'd', 'b']);
        expect(sorted(runs, 'loss', -1).map(({ id }) => id)).toEqual(['d', 'a', 'c', 'b']);
    });

    it('shows what is visible, however long it is', () => {
        for (const count of [0, 3, 10_000]) for (const top of [0, 15_000, 299_000]) {
            const [first, last] = visibleRows(top, 600, count);
            expect(last - first).toBeLessThanOrEqual(36);
            if (top / 30 < count) expect(first * 30).toBeLessThanOrEqual(top);
        }
        expect(visibleRows(0, 600, 3)).toEqual([0, 3]);
    });

    it('draws every row of a short run and the last of a long one', () => {
        const rows = Array.from({ length: 5000 }, (_, i) => i);
        expect(thinned(rows.slice(0, 600), 600)).toHaveLength(600);
        expect(thinned(rows, 600)).toHaveLength(600);
        expect(thinned(rows, 600).at(-1)).toBe(4999);
    });
});

describe('charts', () => {
    it('have round ticks', () => {
        expect(niceCeiling(3102)).toBe(5000);
        expect(linearTicks(5000)).toEqual([0, 1000, 2000, 3000, 4000, 5000]);
        expect(linearTicks(16).length).toBeGreaterThan(2);
    });

    it('give their rows as CSV', () => {
        expect(csv(['a', 'b'], [[1, 'x,"y"'], [null, 'z']])).toBe('a,b\n1,"x,""y"""\n,z\n');
    });
});

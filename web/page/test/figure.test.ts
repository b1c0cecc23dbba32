import { describe, expect, it } from 'vitest';
import { chosenOf, choicesOf, fieldsOf, meansOf } from '../src/views/figure';
import type { Run } from '../src/views/runs';

const run = (depth: number, channels: number, loss: number | null): Run => ({ id: `${depth}-${channels}`, name: 'x', phase: 'done', step: 10, loss, 'model.spec': `mixer:depth=${depth},channels=${channels},permuted`, 'optimizer.lr': 0.001 });

describe('the figure of runs', () => {
    const all = [run(1, 64, 3), run(1, 64, 2), run(2, 64, 1), run(2, 128, 0.5), run(4, 128, null)].map(fieldsOf);

    it('reads the fields of the spec', () => {
        expect(all[0].get('family')).toBe('mixer');
        expect(all[3].get('channels')).toBe(128);
        expect(all[4].has('loss')).toBe(false);
        expect(all[0].has('name')).toBe(false);
    });

    it('offers what moves', () => {
        expect(choicesOf(all)).toEqual({ x: ['depth', 'channels'], y: ['loss'], series: ['depth', 'channels'] });
        expect(choicesOf(all.slice(0, 1)).x).toEqual([]);
    });

    it('shows loss against depth unless something else is asked for that there is', () => {
        const choices = choicesOf(all);
        expect(chosenOf(choices, {})).toEqual({ x: 'depth', y: 'loss', series: 'channels' });
        expect(chosenOf(choices, { x: 'channels', y: 'accuracy', series: 'none' })).toEqual({ x: 'channels', y: 'loss', series: '' });
    });

    it('means what is equal, and leaves out what has no outcome', () => {
        const means = meansOf(all, { x: 'depth', y: 'loss', series: 'channels' });
        expect(means).toEqual([{ series: '64', x: 1, y: 2.5, count: 2 }, { series: '64', x: 2, y: 1, count: 1 }, { series: '128', x: 2, y: 0.5, count: 1 }]);
        expect(meansOf(all, { x: 'depth', y: 'loss', series: '' }).map(({ y }) => y)).toEqual([2.5, 0.75]);
    });
});

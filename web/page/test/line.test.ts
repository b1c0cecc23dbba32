import { describe, expect, it } from 'vitest';
import { bestDepth, budgetAt, budgetWidth, depthCost, lineDepth, lineFormula, nearShape, standardSize, valley, widthAt, type LoadLine } from '../src/line';

// As /api/v1/map sends it.
const LINE: LoadLine = {
    constants: [24.9676, 0.474822, 35.1563, 0.358179],
    without_one_study: [],
    valley_percent: 1,
    tie_percent: 0.05,
    smallest_measured: 5.3e4,
    largest_measured: 1.8e9,
};

describe('the load line', () => {
    it('is where the best depth of a size has that width', () => {
        for (const width of [128, 512, 1024, 4096, 12288]) {
            const depth = lineDepth(LINE, width);
            expect(bestDepth(LINE.constants, standardSize(depth, width))).toBeCloseTo(depth, 6);
        }
    });

    it('agrees with the engine: plimsoll audit says 24 : 9 to 68 at width 1024, and 22 layers the least', () => {
        const range = valley(LINE, standardSize(24, 1024));
        expect(Math.ceil(range.low)).toBe(9);
        expect(Math.floor(range.high)).toBe(68);
        expect(Math.round(range.best)).toBe(22);
    });

    it('costs nothing at the best depth and one percent at the edges of the valley', () => {
        for (const size of [1e6, 1e8, 1e10]) {
            const range = valley(LINE, size);
            expect(depthCost(LINE.constants, size, range.best)).toBeCloseTo(0, 9);
            expect(depthCost(LINE.constants, size, range.low)).toBeCloseTo(1, 6);
            expect(depthCost(LINE.constants, size, range.high)).toBeCloseTo(1, 6);
        }
    });
});

describe('its formula', () => {
    it('is within a tenth of the line over the chart', () => {
        const { layers, power } = lineFormula(LINE);
        for (const width of [128, 1024, 8192, 49152]) expect((Number(layers) * (width / 1024) ** Number(power)) / lineDepth(LINE, width)).toBeCloseTo(1, 1);
    });
});

describe('the budget line', () => {
    it('gives back the budget of each of its points', () => {
        for (const rows of [0, 256, 32000, 250000]) for (const depth of [1, 4.6, 24, 160]) {
            expect(budgetAt(rows, depth, budgetWidth(1e8, rows, depth)) / 1e8).toBeCloseTo(1, 9);
        }
        expect(budgetWidth(1e8, 0, 24)).toBeCloseTo(widthAt(1e8, 24), 6);
    });
});

describe('the preview of the advice', () => {
    // plimsoll advise --params P, vocabulary 32000: depth and width.
    const ENGINE: [number, number, number][] = [[3e7, 15, 320], [1e8, 16, 640], [3e8, 21, 1024], [8.08e8, 26, 1536], [3e9, 37, 2560], [3e10, 60, 6400], [3e11, 105, 15360]];
    it('lies near what the engine answers', () => {
        for (const [parameters, depth, width] of ENGINE) {
            const near = nearShape(LINE, parameters, 32000);
            expect(Math.abs(Math.log(near.depth / depth)), `${parameters}`).toBeLessThan(Math.log(1.25));
            expect(Math.abs(Math.log(near.width / width)), `${parameters}`).toBeLessThan(Math.log(1.15));
        }
    });

    it('lies on the budget line where the table is whole', () => {
        const near = nearShape(LINE, 1e9, 32000);
        expect(budgetAt(32000, near.depth, near.width) / 1e9).toBeCloseTo(1, 6);
    });
});

import { describe, expect, it } from 'vitest';
import type { Field, MapModel } from '../src/api';
import { contour, valueAt } from '../src/map/field';
import { frameOf } from '../src/map/frame';
import { lineTouches, overlaps, placeLabels, type Wish } from '../src/map/labels';
import { isBottlenecked, labelOf, NO_FILTERS, passes, placesOf } from '../src/map/places';
import { addressOf, hashOf } from '../src/router';

const frame = frameOf({ width: 1000, height: 700 }, { left: 50, right: 10, top: 10, bottom: 40 }, [128, 49152], [3, 160]);

describe('the frame', () => {
    it('goes there and back', () => {
        for (const width of [128, 777, 49152]) expect(frame.width(frame.x(width))).toBeCloseTo(width, 6);
        for (const depth of [3, 24, 160]) expect(frame.depth(frame.y(depth))).toBeCloseTo(depth, 9);
        expect(frame.y(48)).toBeGreaterThan(frame.y(24)); // deeper is further down
        expect(frame.x(2048) - frame.x(1024)).toBeCloseTo(frame.x(1024) - frame.x(512), 9);
    });
});

describe('labels', () => {
    // A hundred names in a small place: few find one, and those touch nothing.
    const wishes: Wish[] = Array.from({ length: 100 }, (_, i) => ({ key: String(i), names: [{ text: 'a long name', width: 50 }, { text: 'short', width: 22 }], x: 60 + (i % 10) * 22, y: 60 + Math.floor(i / 10) * 14, radius: 4, height: 14 }));
    const box = { left: 0, top: 0, right: 320, bottom: 260 };
    const points = wishes.map(({ x, y }) => ({ left: x - 4, right: x + 4, top: y - 4, bottom: y + 4 }));
    const line: [number, number][] = [[0, 0], [320, 260]];
    const spots = [...placeLabels(wishes, box, points, (one) => lineTouches(line, one)).values()];

    it('never touch one another, a point, the line or the frame', () => {
        expect(spots.length).toBeGreaterThan(3);
        spots.forEach((spot, i) => {
            for (const other of spots.slice(i + 1)) expect(overlaps(spot.box, other.box)).toBe(false);
            for (const point of points) expect(overlaps(spot.box, point)).toBe(false);
            expect(lineTouches(line, spot.box)).toBe(false);
            expect(spot.box.left >= 0 && spot.box.right <= 320 && spot.box.top >= 0 && spot.box.bottom <= 260).toBe(true);
        });
    });

    it('are at most as many as asked for', () => {
        expect(placeLabels(wishes, box, [], () => false, 2).size).toBe(2);
    });
});

describe('the field', () => {
    // A plane: contours of it are straight and values exact.
    const field: Field = { context: 2, across: 11, down: 6, knee: [1, 2], log10: Array.from({ length: 66 }, (_, i) => (i % 11) / 10 + Math.floor(i / 11) / 5) };

    it('is interpolated', () => {
        for (const [u, v] of [[0, 0], [0.33, 0.71], [1, 1], [2, -1]]) expect(valueAt(field, u, v)).toBeCloseTo(Math.min(Math.max(u, 0), 1) + Math.min(Math.max(v, 0), 1), 9);
    });

    it('has its contours where the level is', () => {
        const pieces = contour(field, 0.75);
        expect(pieces.length).toBeGreaterThan(4);
        for (const [x0, y0, x1, y1] of pieces) {
            expect(x0 + y0).toBeCloseTo(0.75, 9);
            expect(x1 + y1).toBeCloseTo(0.75, 9);
        }
    });
});

const model = (id: string, depth: number, width: number, more: Partial<MapModel> = {}) => ({ id, name: id, depth, width, kind: 'decoder', modality: 'text', family: 'x', year: 2020, parameters: 1e9, findings: [], ...more }) as unknown as MapModel;

describe('places', () => {
    it('are shared by models of one shape', () => {
        const places = placesOf([model('a', 12, 768), model('b', 12, 768), model('gpt2', 12, 768), model('c', 24, 768)]);
        expect(places.map(({ models }) => models.length)).toEqual([3, 1]);
        expect(labelOf(places[0]).startsWith('gpt2')).toBe(true);
    });

    it('are bottlenecked by what is severe and not depth', () => {
        const finding = (id: string, severity: 'severe' | 'notice') => ({ findings: [{ id, severity, title: '', shown: '', reading: '' }] });
        expect(isBottlenecked(model('a', 1, 1, finding('attention-width', 'severe')))).toBe(true);
        expect(isBottlenecked(model('a', 1, 1, finding('attention-width', 'notice')))).toBe(false);
        expect(isBottlenecked(model('a', 1, 1, finding('depth-valley', 'severe')))).toBe(false);
    });

    it('are filtered', () => {
        const one = model('a', 1, 1);
        expect(passes(one, NO_FILTERS)).toBe(true);
        expect(passes(one, { ...NO_FILTERS, kind: 'mixer' })).toBe(false);
        expect(passes(one, { ...NO_FILTERS, from: 2021 })).toBe(false);
        expect(passes(one, { ...NO_FILTERS, least: 1e9, most: 1e9 })).toBe(true);
    });
});

describe('addresses', () => {
    it('go there and back', () => {
        const hash = hashOf('audit', { models: 't5-11b,gpt2', file: '', context: 4 });
        expect(hash).toBe('#audit?models=t5-11b,gpt2&context=4');
        const { view, parameters } = addressOf(hash);
        expect([view, parameters.get('models'), parameters.get('context')]).toEqual(['audit', 't5-11b,gpt2', '4']);
        expect(addressOf('').view).toBe('map');
    });
});

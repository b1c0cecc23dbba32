// The lines of the chart as points of the frame.

import type { Field, MapData } from '../api';
import { budgetWidth, lineDepth, valley, widthAt } from '../line';
import { kneeAt } from './field';
import type { Frame } from './frame';

export type Points = [number, number][];
const STEPS = 160;

function alongWidths(frame: Frame, depthAt: (width: number) => number): Points {
    const points: Points = [];
    for (let i = 0; i <= STEPS; i++) {
        const x = frame.left + ((frame.right - frame.left) * i) / STEPS;
        points.push([x, frame.y(depthAt(frame.width(x)))]);
    }
    return points;
}

export const loadLine = (frame: Frame, data: MapData) => alongWidths(frame, (width) => lineDepth(data.load_line, width));

export const levineLaw = (frame: Frame, { offset, slope }: MapData['levine_law']) => alongWidths(frame, (width) => Math.max(0.1, (Math.log(width) - offset) / slope));

export const publishedThreshold = (frame: Frame) => alongWidths(frame, (width) => Math.log(width) / Math.log(3));

/** Through the best aspect at each size that was measured. */
export const kaplan = (frame: Frame, aspects: MapData['kaplan']): Points => aspects.map(({ parameters, aspect }) => {
    const depth = Math.cbrt(parameters / (12 * aspect * aspect));
    return [frame.x(aspect * depth), frame.y(depth)];
});

export const nanochat = (frame: Frame) => alongWidths(frame, (width) => width / 64);

export const knee = (frame: Frame, field: Field) => alongWidths(frame, (width) => kneeAt(field, (frame.x(width) - frame.left) / (frame.right - frame.left)));

export const equalParameters = (frame: Frame, parameters: number): Points => {
    const points: Points = [];
    for (const y of [frame.top, frame.bottom]) points.push([frame.x(widthAt(parameters, frame.depth(y))), y]);
    return points;
};

export function budgetLine(frame: Frame, parameters: number, rows: number): Points {
    const points: Points = [];
    for (let i = 0; i <= 60; i++) {
        const y = frame.top + ((frame.bottom - frame.top) * i) / 60;
        points.push([frame.x(budgetWidth(parameters, rows, frame.depth(y))), y]);
    }
    return points;
}

/** The valley's two edges: at each size the least and the greatest depth that cost at most one percent of loss. */
export function valleyEdges(frame: Frame, data: MapData): { low: Points; high: Points } {
    const low: Points = [];
    const high: Points = [];
    for (let i = 0; i <= 90; i++) {
        const size = 10 ** (4 + (i / 90) * 10);
        const range = valley(data.load_line, size);
        low.push([frame.x(widthAt(size, range.low)), frame.y(range.low)]);
        high.push([frame.x(widthAt(size, range.high)), frame.y(range.high)]);
    }
    return { low, high };
}

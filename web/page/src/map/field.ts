// Capacity as tinted depths with labelled contours, as on a sea chart.

import type { Field } from '../api';
import { channels, type Colours } from '../theme';
import type { Frame } from './frame';

export const STEP = 0.5;
const LOWEST = 1.5;
const HIGHEST = 9.5;

/** log10 of capacity at a place of the grid, both coordinates from 0 to 1. */
export function valueAt(field: Field, u: number, v: number): number {
    const x = Math.min(Math.max(u, 0), 1) * (field.across - 1);
    const y = Math.min(Math.max(v, 0), 1) * (field.down - 1);
    const i = Math.min(Math.floor(x), field.across - 2);
    const j = Math.min(Math.floor(y), field.down - 2);
    const at = j * field.across + i;
    const [a, b, c, d] = [field.log10[at], field.log10[at + 1], field.log10[at + field.across], field.log10[at + field.across + 1]];
    const fx = x - i;
    const fy = y - j;
    return a * (1 - fx) * (1 - fy) + b * fx * (1 - fy) + c * (1 - fx) * fy + d * fx * fy;
}

/** The colour of a band: deeper water is darker in both themes. */
export function bandColour(level: number, low: readonly number[], high: readonly number[]): [number, number, number] {
    const t = Math.min(Math.max((level - LOWEST) / (HIGHEST - LOWEST), 0), 1) ** 1.1;
    return low.map((from, i) => Math.round(from + t * (high[i] - from))) as [number, number, number];
}

/** The bands as an image of the plot at one pixel a pixel. */
export function fieldImage(field: Field, frame: Frame, colours: Colours): HTMLCanvasElement {
    const width = Math.max(1, Math.round(frame.right - frame.left));
    const height = Math.max(1, Math.round(frame.bottom - frame.top));
    const canvas = document.createElement('canvas');
    canvas.width = width;
    canvas.height = height;
    const context = canvas.getContext('2d')!;
    const image = context.createImageData(width, height);
    const low = channels(colours['field-low']);
    const high = channels(colours['field-high']);
    const bands = new Map<number, [number, number, number]>();
    for (let y = 0, at = 0; y < height; y++) {
        for (let x = 0; x < width; x++, at += 4) {
            const level = Math.floor(valueAt(field, x / (width - 1), y / (height - 1)) / STEP);
            let colour = bands.get(level);
            if (!colour) bands.set(level, (colour = bandColour((level + 0.5) * STEP, low, high)));
            image.data[at] = colour[0];
            image.data[at + 1] = colour[1];
            image.data[at + 2] = colour[2];
            image.data[at + 3] = 255;
        }
    }
    context.putImageData(image, 0, 0);
    return canvas;
}

/** Where a level crosses the cells of the grid: pieces of lines, in coordinates from 0 to 1. */
export function contour(field: Field, level: number): [number, number, number, number][] {
    const pieces: [number, number, number, number][] = [];
    const { across, down, log10 } = field;
    for (let j = 0; j + 1 < down; j++) {
        for (let i = 0; i + 1 < across; i++) {
            const at = j * across + i;
            const corners = [log10[at], log10[at + 1], log10[at + across + 1], log10[at + across]];
            const places = [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]];
            const hits: [number, number][] = [];
            for (let k = 0; k < 4; k++) {
                const next = (k + 1) % 4;
                if (corners[k] < level === corners[next] < level) continue;
                const t = (level - corners[k]) / (corners[next] - corners[k]);
                hits.push([(places[k][0] + t * (places[next][0] - places[k][0])) / (across - 1), (places[k][1] + t * (places[next][1] - places[k][1])) / (down - 1)]);
            }
            for (let k = 0; k + 1 < hits.length; k += 2) pieces.push([...hits[k], ...hits[k + 1]]);
        }
    }
    return pieces;
}

/** The knee T at a width, from the field's own row of knees. */
export function kneeAt(field: Field, u: number): number {
    const x = Math.min(Math.max(u, 0), 1) * (field.knee.length - 1);
    const i = Math.min(Math.floor(x), field.knee.length - 2);
    return field.knee[i] + (x - i) * (field.knee[i + 1] - field.knee[i]);
}

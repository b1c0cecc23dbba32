// Small charts as SVG, with their rows a click away.

import { download, h, s } from './dom';
import { type Box, placeLabels } from './map/labels';

export interface Axis { low: number; high: number; log: boolean; ticks: number[]; title: string; text?: (value: number) => string }
export interface Plot { root: SVGSVGElement; x(value: number): number; y(value: number): number; left: number; right: number; top: number; bottom: number }

export interface Size { width: number; height: number }

/**
 * A chart drawn at the size that it is shown in, so that its words are as large as those around it; drawn anew when its place becomes wider or
 * narrower. `shape` is height by width, within bounds that keep it readable on a phone and inside a screen.
 */
export function fitted(shape: number, draw: (size: Size) => SVGSVGElement): HTMLElement {
    const place = h('div', { class: 'plot-place' });
    let shown = 0;
    const fill = (width: number) => {
        if (width < 40 || Math.abs(width - shown) < 2) return;
        shown = width;
        place.replaceChildren(draw({ width, height: Math.round(Math.min(Math.max(width * shape, 240), 560)) }));
    };
    place.append(draw({ width: 640, height: Math.round(640 * shape) }));
    new ResizeObserver(() => fill(Math.round(place.clientWidth))).observe(place);
    return place;
}

/** The ticks that have room: every second, third, ... of them, `apart` pixels from one to the next. */
function roomy(ticks: number[], at: (value: number) => number, apart: (value: number) => number): number[] {
    for (let every = 1; every < ticks.length; every++) {
        const kept = ticks.filter((_, i) => i % every === 0);
        if (kept.every((value, i) => i === 0 || Math.abs(at(value) - at(kept[i - 1])) >= (apart(value) + apart(kept[i - 1])) / 2)) return kept;
    }
    return ticks.slice(0, 1);
}

/** An empty plot with its axes; larger y is up. */
export function plot(size: Size, x: Axis, y: Axis, label: string): Plot {
    const [left, right, top, bottom] = [size.width < 480 ? 46 : 58, size.width - 18, 26, size.height - 46];
    const along = (axis: Axis, from: number, to: number) => (value: number) => {
        const t = axis.log ? Math.log(value / axis.low) / Math.log(axis.high / axis.low) : (value - axis.low) / (axis.high - axis.low);
        return from + (to - from) * t;
    };
    const px = along(x, left, right);
    const py = along(y, bottom, top);
    const word = (axis: Axis, value: number) => (axis.text ? axis.text(value) : String(value));
    const xTicks = roomy(x.ticks, px, (value) => 7 * word(x, value).length + 10);
    const yTicks = roomy(y.ticks, py, () => 18);
    const root = s('svg', { class: 'plot', viewBox: `0 0 ${size.width} ${size.height}`, role: 'img', 'aria-label': label },
        s('rect', { x: left, y: top, width: right - left, height: bottom - top, fill: 'var(--field-low)' }),
        ...yTicks.map((value) => s('path', { d: `M${left} ${py(value)}H${right}`, stroke: 'var(--rule)' })),
        ...yTicks.map((value) => s('text', { x: left - 8, y: py(value) + 4, 'text-anchor': 'end', class: 'tick' }, word(y, value))),
        ...xTicks.map((value) => s('path', { d: `M${px(value)} ${bottom}v5`, stroke: 'var(--rule-strong)' })),
        ...xTicks.map((value) => s('text', { x: px(value), y: bottom + 19, 'text-anchor': 'middle', class: 'tick' }, word(x, value))),
        s('text', { x: (left + right) / 2, y: size.height - 8, 'text-anchor': 'middle', class: 'axis' }, x.title),
        s('text', { x: left, y: top - 10, class: 'axis' }, y.title));
    return { root, x: px, y: py, left, right, top, bottom };
}

export const pathOf = (points: [number, number][]) => points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');

const CHARACTER = 6.4; // of the condensed face at 12.5 px, a little more than most

/** A name for each of some places, each at the first spot around it that is free; `taken` is what lies there already. */
export function names(p: Plot, places: { x: number; y: number; text: string; className?: string }[], taken: Box[]): SVGElement[] {
    const wishes = places.map(({ x, y, text }, i) => ({ key: String(i), names: [{ text, width: CHARACTER * text.length }], x, y, radius: 6, height: 15 }));
    const points = places.map(({ x, y }) => ({ left: x - 6, right: x + 6, top: y - 6, bottom: y + 6 }));
    const spots = placeLabels(wishes, { left: p.left, right: p.right, top: p.top, bottom: p.bottom }, [...taken, ...points], () => false, Infinity, [0, 12, 20, 32, 46, 64, 84]);
    const anchors = { left: 'start', right: 'end', center: 'middle' };
    return [...spots].flatMap(([key, spot]) => [
        ...(spot.leader ? [s('path', { d: `M${spot.leader[0]} ${spot.leader[1]}L${spot.x} ${spot.y}`, stroke: 'var(--ink-3)', 'stroke-width': 0.8 })] : []),
        s('text', { x: spot.x, y: spot.y + 4, 'text-anchor': anchors[spot.align], class: `note ${places[Number(key)].className ?? ''}`.trim() }, spot.text)]);
}

/** 1, 2 or 5 times a power of ten, at least as large. */
export function niceCeiling(value: number): number {
    const unit = 10 ** Math.floor(Math.log10(Math.max(value, 1e-9)));
    return [1, 2, 5, 10].map((step) => step * unit).find((step) => step >= value * 0.999) ?? 10 * unit;
}

/** About five ticks from 0 to a nice end. */
export function linearTicks(high: number): number[] {
    const step = niceCeiling(high / 6);
    return Array.from({ length: Math.floor(high / step + 1e-9) + 1 }, (_, i) => i * step);
}

/** 1, 2 and 5 times the powers of ten between two numbers. */
export function logTicks(low: number, high: number): number[] {
    const ticks: number[] = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) for (const step of [1, 2, 5]) {
        const tick = Number((step * 10 ** power).toPrecision(1));
        if (tick >= low && tick <= high) ticks.push(tick);
    }
    return ticks;
}

type Cell = string | number | null;
const csvCell = (value: Cell) => (typeof value === 'string' && /[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : String(value ?? ''));
export const csv = (columns: string[], rows: Cell[][]) => `${[columns, ...rows].map((row) => row.map(csvCell).join(',')).join('\n')}\n`;

/** The rows of a chart: as CSV, as JSON, and the command that prints them. */
export function dataLinks(name: string, columns: string[], rows: Cell[][], command: string): HTMLElement {
    const objects = () => rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i]])));
    return h('p', { class: 'data-links' }, 'Data: ', h('button', { type: 'button', class: 'link', onClick: () => download(`${name}.csv`, csv(columns, rows), 'text/csv') }, 'CSV'), ' ',
        h('button', { type: 'button', class: 'link', onClick: () => download(`${name}.json`, JSON.stringify(objects(), null, 2), 'application/json') }, 'JSON'), ' ', h('code', { class: 'command' }, command));
}

// Small charts as SVG, with their rows a click away.

import { download, h, s } from './dom';

export interface Axis { low: number; high: number; log: boolean; ticks: number[]; title: string; text?: (value: number) => string }
export interface Plot { root: SVGSVGElement; x(value: number): number; y(value: number): number; left: number; right: number; top: number; bottom: number }

/** An empty plot with its axes; larger y is up. */
export function plot(size: { width: number; height: number }, x: Axis, y: Axis, label: string): Plot {
    const [left, right, top, bottom] = [58, size.width - 18, 26, size.height - 46];
    const along = (axis: Axis, from: number, to: number) => (value: number) => {
        const t = axis.log ? Math.log(value / axis.low) / Math.log(axis.high / axis.low) : (value - axis.low) / (axis.high - axis.low);
        return from + (to - from) * t;
    };
    const px = along(x, left, right);
    const py = along(y, bottom, top);
    const word = (axis: Axis, value: number) => (axis.text ? axis.text(value) : String(value));
    const root = s('svg', { class: 'plot', viewBox: `0 0 ${size.width} ${size.height}`, role: 'img', 'aria-label': label },
        s('rect', { x: left, y: top, width: right - left, height: bottom - top, fill: 'var(--field-low)' }),
        ...y.ticks.map((value) => s('path', { d: `M${left} ${py(value)}H${right}`, stroke: 'var(--rule)' })),
        ...y.ticks.map((value) => s('text', { x: left - 8, y: py(value) + 4, 'text-anchor': 'end', class: 'tick' }, word(y, value))),
        ...x.ticks.map((value) => s('path', { d: `M${px(value)} ${bottom}v5`, stroke: 'var(--rule-strong)' })),
        ...x.ticks.map((value) => s('text', { x: px(value), y: bottom + 19, 'text-anchor': 'middle', class: 'tick' }, word(x, value))),
        s('text', { x: (left + right) / 2, y: size.height - 8, 'text-anchor': 'middle', class: 'axis' }, x.title),
        s('text', { x: left, y: top - 10, class: 'axis' }, y.title));
    return { root, x: px, y: py, left, right, top, bottom };
}

export const pathOf = (points: [number, number][]) => points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');

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

type Cell = string | number | null;
const csvCell = (value: Cell) => (typeof value === 'string' && /[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : String(value ?? ''));
export const csv = (columns: string[], rows: Cell[][]) => `${[columns, ...rows].map((row) => row.map(csvCell).join(',')).join('\n')}\n`;

/** The rows of a chart: as CSV, as JSON, and the command that prints them. */
export function dataLinks(name: string, columns: string[], rows: Cell[][], command: string): HTMLElement {
    const objects = () => rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i]])));
    return h('p', { class: 'data-links' }, 'Data: ', h('button', { type: 'button', class: 'link', onClick: () => download(`${name}.csv`, csv(columns, rows), 'text/csv') }, 'CSV'), ' ',
        h('button', { type: 'button', class: 'link', onClick: () => download(`${name}.json`, JSON.stringify(objects(), null, 2), 'application/json') }, 'JSON'), ' ', h('code', { class: 'command' }, command));
}

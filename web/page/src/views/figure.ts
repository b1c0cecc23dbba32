// The figure of the runs that are listed: an outcome against a setting that moves, its mean over everything else that is equal.

import { dataLinks, fitted, linearTicks, logTicks, niceCeiling, pathOf, plot, type Axis } from '../charts';
import { clear, h, s } from '../dom';
import { grouped, human } from '../format';
import type { Run } from './runs';

type Value = string | number;

const OUTCOMES = ['validation.loss', 'loss', 'seconds'];
const LINES = ['var(--accent)', 'var(--schematic)', 'var(--good)', 'var(--warn-fill)', 'var(--ink-2)', 'var(--contour-label)'];
const MOST_SERIES = LINES.length;
const MOST_POINTS = 600; // beyond these the means alone are drawn, beyond these means their line alone

/** The settings and outcomes of a run by name; the fields of its spec are named as they are there. */
export function fieldsOf(run: Run): Map<string, Value> {
    const fields = new Map<string, Value>();
    const [family, keys = ''] = String(run['model.spec'] ?? '').split(':');
    if (family) fields.set('family', family);
    for (const pair of keys.split(',').filter((text) => text.includes('='))) {
        const [name, value] = pair.split('=');
        fields.set(name, value !== '' && Number.isFinite(Number(value)) ? Number(value) : value);
    }
    for (const [key, value] of Object.entries(run)) {
        if (['id', 'name', 'started', 'reason', 'model.spec'].includes(key) || value === null || typeof value === 'boolean') continue;
        fields.set(key, value);
    }
    return fields;
}

export interface Choice { x: string; y: string; series: string }

/** What can stand on each axis: settings with two values or more, outcomes that runs have. */
export function choicesOf(all: Map<string, Value>[]): { x: string[]; y: string[]; series: string[] } {
    const values = new Map<string, Set<Value>>();
    for (const fields of all) for (const [name, value] of fields) values.set(name, (values.get(name) ?? new Set()).add(value));
    const names = [...values.keys()];
    const settings = names.filter((name) => values.get(name)!.size > 1 && !OUTCOMES.includes(name) && !['phase', 'step', 'device'].includes(name));
    const numeric = settings.filter((name) => [...values.get(name)!].every((value) => typeof value === 'number'));
    return { x: numeric, y: OUTCOMES.filter((name) => values.has(name)), series: settings.filter((name) => values.get(name)!.size <= MOST_SERIES) };
}

/** What is asked for where it can be had, otherwise what a reader most likely wants: loss against depth. */
export function chosenOf(choices: ReturnType<typeof choicesOf>, asked: Partial<Choice>): Choice {
    const first = (list: string[], ...wishes: (string | undefined)[]) => wishes.find((wish) => wish !== undefined && list.includes(wish)) ?? list[0] ?? '';
    const x = first(choices.x, asked.x, 'depth', 'parameters', 'optimizer.lr');
    const others = choices.series.filter((name) => name !== x);
    return { x, y: first(choices.y, asked.y), series: asked.series === 'none' ? '' : first(others, asked.series, 'family', 'data.name') };
}

export interface Mean { series: string; x: number; y: number; count: number }

/** One mean for each x of each series. */
export function meansOf(all: Map<string, Value>[], { x, y, series }: Choice): Mean[] {
    const groups = new Map<string, { series: string; x: number; values: number[] }>();
    for (const fields of all) {
        const [at, value] = [fields.get(x), fields.get(y)];
        if (typeof at !== 'number' || typeof value !== 'number' || !Number.isFinite(value)) continue;
        const name = series ? String(fields.get(series) ?? 'none') : '';
        const key = `${name}\n${at}`;
        const group = groups.get(key) ?? { series: name, x: at, values: [] };
        group.values.push(value);
        groups.set(key, group);
    }
    return [...groups.values()].map(({ series: name, x: at, values }) => ({ series: name, x: at, y: values.reduce((sum, value) => sum + value, 0) / values.length, count: values.length }))
        .sort((a, b) => a.series.localeCompare(b.series, undefined, { numeric: true }) || a.x - b.x);
}

// Logarithmic where the values reach over a factor of four; with `distinct` a few values are the ticks.
function axisOf(values: number[], title: string, distinct = false): Axis {
    const [low, high] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
    const short = (value: number) => (Math.abs(value) >= 10_000 ? human(value, '') : value >= 1000 ? grouped(value) : String(value));
    const own = [...new Set(values)].sort((a, b) => a - b);
    if (distinct && own.length <= 10 && low > 0 && high / low > 4) return { low: low / 1.15, high: high * 1.15, log: true, ticks: own, title, text: short };
    if (low > 0 && high / low > 4) return { low: low / 1.15, high: high * 1.15, log: true, ticks: logTicks(low / 1.15, high * 1.15), title, text: short };
    const room = 0.06 * (high - low) || Math.abs(high) * 0.1 || 1;
    const step = niceCeiling((high - low + 2 * room) / 6);
    const first = Math.ceil((low - room) / step);
    const ticks = Array.from({ length: Math.max(1, Math.floor((high + room) / step) - first + 1) }, (_, i) => Number(((first + i) * step).toPrecision(6)));
    return { low: low - room, high: high + room, log: false, ticks: ticks.length > 1 ? ticks : linearTicks(high), title, text: short };
}

function chart(all: Map<string, Value>[], means: Mean[], choice: Choice, size: { width: number; height: number }): SVGSVGElement {
    const names = [...new Set(means.map(({ series }) => series))];
    const xs = axisOf(means.map(({ x }) => x), choice.x, true);
    const single = all.flatMap((fields): [number, number, string][] => {
        const [x, y] = [fields.get(choice.x), fields.get(choice.y)];
        return typeof x === 'number' && typeof y === 'number' && Number.isFinite(y) ? [[x, y, choice.series ? String(fields.get(choice.series) ?? 'none') : '']] : [];
    });
    const points = single.length <= MOST_POINTS ? single : [];
    const p = plot(size, xs, axisOf([...points.map(([, y]) => y), ...means.map(({ y }) => y)], choice.y), `${choice.y} against ${choice.x} of ${all.length} runs`);
    const colour = (series: string) => LINES[names.indexOf(series) % LINES.length];
    p.root.append(...points.map(([x, y, series]) => s('circle', { cx: p.x(x), cy: p.y(y), r: 2.6, fill: colour(series), opacity: 0.35 })));
    for (const series of names) {
        const line = means.filter((mean) => mean.series === series).map(({ x, y }): [number, number] => [p.x(x), p.y(y)]);
        p.root.append(s('path', { d: pathOf(line), fill: 'none', stroke: colour(series), 'stroke-width': 2 }), ...(line.length > MOST_POINTS ? [] : line).map(([cx, cy]) => s('circle', { cx, cy, r: 4, fill: 'var(--surface)', stroke: colour(series), 'stroke-width': 2 })));
    }
    return p.root;
}

/** The figure with what can be put on its axes; nothing where fewer than two runs differ. */
export function figureOf(runs: Run[], asked: Partial<Choice>, where: string, changed: (choice: Partial<Choice>) => void): HTMLElement {
    const place = h('div', { class: 'figure' });
    const all = runs.map(fieldsOf);
    const choices = choicesOf(all);
    const draw = (wish: Partial<Choice>) => {
        const choice = chosenOf(choices, wish);
        const means = choice.x && choice.y ? meansOf(all, choice) : [];
        if (means.length < 2) return clear(place, h('p', { class: 'faint' }, 'Runs that differ in a setting are drawn here against it.'));
        const select = (name: keyof Choice, label: string, values: string[]) => {
            const element = h('select', { name }, ...values.map((value) => h('option', { value }, value)));
            element.value = choice[name] || 'none';
            element.addEventListener('change', () => { const next = { ...choice, series: choice.series || 'none', [name]: element.value }; changed(next); draw(next); });
            return h('label', { class: 'field' }, h('span', {}, label), element);
        };
        const names = [...new Set(means.map(({ series }) => series))].filter(Boolean);
        clear(place, h('h3', {}, `${choice.y} against ${choice.x}`),
            h('div', { class: 'figure-axes' }, select('y', 'outcome', choices.y), select('x', 'against', choices.x), select('series', 'a line for each', [...choices.series.filter((name) => name !== choice.x), 'none'])),
            fitted(0.62, (size) => chart(all, means, choice, size)),
            names.length > 0 && h('ul', { class: 'figure-key' }, ...names.map((name, i) => h('li', {}, s('svg', { viewBox: '0 0 24 10', width: 24, height: 10, 'aria-hidden': 'true' }, s('path', { d: 'M0 5h24', stroke: LINES[i % LINES.length], 'stroke-width': 2.4 })), `${choice.series} ${name}`))),
            h('p', { class: 'faint' }, 'Rings are means over the runs that are equal in both; dots are runs.'),
            dataLinks('figure', [choice.series || 'all', choice.x, choice.y, 'runs'], means.map(({ series, x, y, count }) => [series, x, y, count]), `plimsoll runs export csv${where ? ` --where '${where}'` : ''}`));
    };
    draw(asked);
    return place;
}

// The runs of the folder: a list that stays fluid with ten thousand of them, live curves, comparison.

import { ApiError, getOnce, type MapData, query } from '../api';
import { dataLinks, fitted, linearTicks, logTicks, niceCeiling, pathOf, plot, type Axis } from '../charts';
import { announce, clear, h, s } from '../dom';
import { grouped, human } from '../format';
import type { View } from '../main';
import { go } from '../router';
import { type Choice, figureOf } from './figure';
import { fitsPanel } from './fits';
import { reportsPanel } from './reports';

type Cell = string | number | boolean | null;
export type Run = Record<string, Cell> & { id: string };
interface Metric { step: number; loss?: number; [key: string]: Cell | undefined }
interface Diff { config: Record<string, [Cell, Cell]>; numbers: Record<string, [Cell, Cell]> }

const ROW = 30;
const MOST = 6;
const COLUMNS: { key: string; title: string; text: (run: Run) => string; number: boolean }[] = [
    { key: 'id', title: 'run', text: (run) => String(run.name ?? '') || run.id.slice(0, 8), number: false },
    { key: 'phase', title: 'phase', text: (run) => String(run.phase ?? ''), number: false },
    { key: 'step', title: 'step', text: (run) => `${grouped(Number(run.step ?? 0))}${run['train.steps'] && run.phase !== 'done' ? ` of ${grouped(Number(run['train.steps']))}` : ''}`, number: true },
    { key: 'parameters', title: 'size', text: (run) => (run.parameters ? human(Number(run.parameters)) : ''), number: true },
    { key: 'loss', title: 'loss', text: (run) => fixed(run.loss), number: true },
    { key: 'validation.loss', title: 'validation', text: (run) => fixed(run['validation.loss']), number: true },
    { key: 'optimizer.lr', title: 'rate', text: (run) => String(run['optimizer.lr'] ?? ''), number: true },
    { key: 'data.name', title: 'data', text: (run) => String(run['data.name'] ?? ''), number: false },
    { key: 'model.spec', title: 'network', text: (run) => String(run['model.spec'] ?? ''), number: false },
];
const LINES = ['var(--accent)', 'var(--schematic)', 'var(--good)', 'var(--warn-fill)', 'var(--ink-2)', 'var(--contour-label)'];
const DASHES = [null, '7 3', '2 3', '9 3 2 3', '4 4', '1 3'];

const fixed = (value: Cell | undefined) => (typeof value === 'number' ? value.toPrecision(4) : '');

/** By a key, numbers as numbers; runs without it come last either way. */
export function sorted(runs: Run[], key: string, order: 1 | -1): Run[] {
    return [...runs].sort((a, b) => {
        const [x, y] = [a[key] ?? null, b[key] ?? null];
        if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
        return (typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y))) * order;
    });
}

/** The rows that a list scrolled to `top` shows, with some to spare on either side. */
export function visibleRows(top: number, height: number, count: number): [number, number] {
    const first = Math.max(0, Math.floor(top / ROW) - 8);
    return [first, Math.min(count, first + Math.ceil(height / ROW) + 16)];
}

/** Every row that shows, and no more than `most` of a long run. */
export function thinned<T>(rows: T[], most: number): T[] {
    if (rows.length <= most) return rows;
    const every = rows.length / most;
    return Array.from({ length: most }, (_, i) => rows[Math.min(rows.length - 1, Math.round((i + 1) * every) - 1)]);
}

function curves(series: { run: Run; rows: Metric[] }[]): Element {
    const points = series.map(({ run, rows }) => ({ run, rows: thinned(rows.filter((row) => typeof row.loss === 'number'), 600) })).filter(({ rows }) => rows.length > 0);
    if (points.length === 0) return h('p', { class: 'faint' }, 'No losses yet.');
    const steps = points.flatMap(({ rows }) => rows.map(({ step }) => step));
    const losses = points.flatMap(({ rows }) => rows.map(({ loss }) => loss!)).filter((loss) => loss > 0);
    const [low, high] = [Math.min(...losses), Math.max(...losses)];
    const end = Math.max(...steps);
    const x: Axis = { low: 0, high: Math.max(end, 1), log: false, ticks: linearTicks(end), title: 'step', text: grouped };
    const ratio = high / low;
    const y: Axis = ratio > 4 ? { low: low * 0.9, high: high * 1.1, log: true, ticks: logTicks(low * 0.9, high * 1.1), title: 'loss' } : { low: low - 0.06 * (high - low), high: high + 0.06 * (high - low) + 1e-9, log: false, ticks: between(low, high), title: 'loss' };
    return fitted(0.6, (size) => {
        const p = plot(size, x, y, `Loss against step of ${points.length} runs`);
        points.forEach(({ run, rows }, i) => {
            const colour = LINES[i % LINES.length];
            const line: [number, number][] = rows.filter(({ loss }) => loss! > 0).map(({ step, loss }) => [p.x(step), p.y(loss!)]);
            p.root.append(s('path', { d: pathOf(line), fill: 'none', stroke: colour, 'stroke-width': 2, 'stroke-dasharray': DASHES[i % DASHES.length] }));
            p.root.append(s('path', { d: `M${p.right - 190} ${p.top + 18 + i * 18}h26`, stroke: colour, 'stroke-width': 2.4, 'stroke-dasharray': DASHES[i % DASHES.length] }), s('text', { x: p.right - 158, y: p.top + 22 + i * 18, class: 'note' }, `${COLUMNS[0].text(run)} ${fixed(rows.at(-1)!.loss)}`));
        });
        return p.root;
    });
}

function between(low: number, high: number): number[] {
    const step = niceCeiling((high - low) / 5);
    const first = Math.ceil(low / step) * step;
    return Array.from({ length: Math.max(0, Math.floor((high - first) / step + 1e-9)) + 1 }, (_, i) => Number((first + i * step).toPrecision(6)));
}

const shown = (value: Cell) => (value === null ? '' : typeof value === 'number' ? String(value) : String(value));

export function runsView(_data: MapData): View {
    let runs: Run[] = [];
    let order: { key: string; way: 1 | -1 } = { key: 'started', way: -1 };
    let chosen: string[] = [];
    let where = '';
    let figure: Partial<Choice> = {};
    let fit = ''; // whose runs; empty: those of the folder
    let active = 0;
    let timer = 0;
    let stop = new AbortController();
    const metrics = new Map<string, Metric[]>();
    const fits = fitsPanel((id) => go('runs', { fit: id }));
    const title = h('h1', { id: 'main-start', tabindex: -1 }, 'Runs');
    const back = h('p', { hidden: true }, h('a', { href: '#runs' }, 'All runs of the folder'));
    const count = h('p', { class: 'lead' });
    const list = h('div', { class: 'run-list', role: 'listbox', tabindex: 0, 'aria-multiselectable': 'true', 'aria-label': 'Runs' });
    const inner = h('div', { class: 'run-inner', role: 'presentation' });
    const heads = h('div', { class: 'run-row heads' });
    const right = h('div', { class: 'panel-card run-right' });
    const filter = h('input', { placeholder: 'loss<1.2', 'aria-label': 'Filter: key=value, key<number or key~text', autocomplete: 'off', spellcheck: 'false' });
    const note = h('p', { class: 'problem', role: 'alert', hidden: true });
    const form = h('form', { class: 'rank-form' }, h('label', { class: 'field wide' }, h('span', {}, 'filter'), filter), h('button', {}, 'Filter'), note);
    list.append(inner);
    const columns = h('div', { class: 'run-columns' }, h('div', { class: 'run-table' }, heads, list), right);
    const element = h('section', { class: 'page runs-view' }, h('div', { class: 'page-title' }, title, count, back), form, fits.element, columns, reportsPanel());

    const address = () => go('runs', { runs: chosen.join(','), where, fit, ...figure });
    const ofFit = (path: string) => (fit ? `${path}${path.includes('?') ? '&' : '?'}fit=${fit}` : path);

    const drawHeads = () => clear(heads, ...COLUMNS.map(({ key, title, number }) => h('button', { type: 'button', class: number ? 'number' : null, 'aria-label': `Sort by ${title}`, onClick: () => {
        order = { key, way: order.key === key ? (-order.way as 1 | -1) : 1 };
        runs = sorted(runs, order.key, order.way);
        drawHeads();
        drawRows();
    } }, title, order.key === key ? (order.way > 0 ? ' ↑' : ' ↓') : '')));

    const drawRows = () => {
        inner.style.height = `${runs.length * ROW}px`;
        const [first, last] = visibleRows(list.scrollTop, list.clientHeight || 600, runs.length);
        inner.replaceChildren(...runs.slice(first, last).map((run, i) => {
            const at = first + i;
            const row = h('div', { class: `run-row ${run.phase}`, role: 'option', id: `run-${at}`, 'aria-selected': String(chosen.includes(run.id)), 'aria-posinset': at + 1, 'aria-setsize': runs.length, 'data-active': at === active }, ...COLUMNS.map(({ text, number }) => h('span', { class: number ? 'number' : null, title: text(run) }, text(run))));
            row.style.transform = `translateY(${at * ROW}px)`;
            row.addEventListener('click', () => toggle(at));
            return row;
        }));
        list.setAttribute('aria-activedescendant', runs.length > 0 ? `run-${active}` : '');
    };

    const toggle = (at: number) => {
        active = at;
        const { id } = runs[at];
        chosen = chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id].slice(-MOST);
        address();
        drawRows();
        void drawRight();
    };

    list.addEventListener('scroll', () => requestAnimationFrame(drawRows));
    list.addEventListener('keydown', (event) => {
        const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15, Home: -runs.length, End: runs.length };
        if (event.key in steps) {
            event.preventDefault();
            active = Math.min(Math.max(active + steps[event.key], 0), runs.length - 1);
            if (active * ROW < list.scrollTop) list.scrollTop = active * ROW;
            if ((active + 1) * ROW > list.scrollTop + list.clientHeight) list.scrollTop = (active + 1) * ROW - list.clientHeight;
            drawRows();
        } else if ((event.key === 'Enter' || event.key === ' ') && runs[active]) {
            event.preventDefault();
            toggle(active);
        }
    });
    form.addEventListener('submit', (event) => {
        event.preventDefault();
        where = filter.value.trim();
        address();
        void load();
    });

    const load = async () => {
        clearTimeout(timer);
        stop.abort();
        stop = new AbortController();
        const { signal } = stop;
        try {
            const words = where ? where.split(/\s*,\s*/).map((one) => `where=${encodeURIComponent(one)}`).join('&') : '';
            const { rows } = await getOnce<{ rows: Run[] }>(ofFit(`runs${words ? `?${words}` : ''}`), signal);
            runs = sorted(rows, order.key, order.way);
            note.hidden = true;
            columns.hidden = runs.length === 0;
            const training = runs.filter(({ phase }) => phase === 'running').length;
            count.textContent = `${grouped(runs.length)} ${runs.length === 1 ? 'run' : 'runs'}${training > 0 ? `, ${training} training now` : ''}. Choose up to ${MOST} to compare them.`;
            if (training > 0 || fit) timer = window.setTimeout(() => void load(), 3000);
            drawRows();
            await drawRight();
        } catch (problem) {
            if ((problem as Error).name === 'AbortError') return;
            const none = problem instanceof ApiError && problem.status === 404; // no folder yet
            note.textContent = problem instanceof ApiError ? problem.text : String(problem);
            note.hidden = none;
            runs = [];
            drawRows();
            columns.hidden = true;
            if (fit) timer = window.setTimeout(() => void load(), 3000); // its first runs are still to come
            if (none) count.textContent = fit ? 'This fit has no runs yet: it looks at the data first.' : 'There are no runs yet. plimsoll train, sweep and fit make some; plimsoll serve --runs FOLDER shows those of another folder.';
        }
    };

    const metricsOf = async (run: Run): Promise<Metric[]> => {
        const known = metrics.get(run.id);
        if (known && run.phase !== 'running') return known;
        const rows = await getOnce<Metric[]>(ofFit(`runs/${run.id}/metrics`), stop.signal).catch((problem: Error) => { if (problem.name === 'AbortError') throw problem; return []; });
        metrics.set(run.id, rows);
        return rows;
    };

    const drawRight = async () => {
        const picked = chosen.map((id) => runs.find((run) => run.id === id)).filter((run): run is Run => Boolean(run));
        if (picked.length === 0) {
            if (right.querySelector('.figure')?.contains(document.activeElement)) return; // its axes are being chosen
            const remember = (choice: Partial<Choice>) => { figure = choice; go('runs', { where, fit, ...figure }, true); };
            return clear(right, h('p', { class: 'faint' }, 'Choose a run to see its loss, two to see where they differ.'), runs.length > 1 && figureOf(runs, figure, where, remember));
        }
        try {
            const series = await Promise.all(picked.map(async (run) => ({ run, rows: await metricsOf(run) })));
            const rows = series.flatMap(({ run, rows: all }) => all.map((row) => [run.id, row.step, row.loss ?? null] as (string | number | null)[]));
            const below = picked.length === 2 ? differences(await getOnce<Diff>(ofFit(`runs/${picked[0].id}/diff?${query({ with: picked[1].id })}`), stop.signal), picked) : picked.length === 1 ? await settings(picked[0]) : null;
            clear(right, h('h3', {}, 'Training loss'), curves(series), dataLinks('runs', ['run', 'step', 'loss'], rows, `plimsoll runs export csv --metrics --where id=${picked[0].id}`), below);
            announce(`${picked.length} runs shown`);
        } catch (problem) {
            if ((problem as Error).name !== 'AbortError') clear(right, h('p', { class: 'problem', role: 'alert' }, problem instanceof ApiError ? problem.text : String(problem)));
        }
    };

    const differences = (diff: Diff, [a, b]: Run[]) => {
        const rows = [...Object.entries(diff.config), ...Object.entries(diff.numbers)];
        return h('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Differences' }, h('table', { class: 'shapes' }, h('caption', {}, 'Where they differ'), h('thead', {}, h('tr', {}, ...['', COLUMNS[0].text(a), COLUMNS[0].text(b)].map((name) => h('th', { scope: 'col' }, name)))),
            h('tbody', {}, ...rows.map(([key, [x, y]]) => h('tr', {}, h('th', { scope: 'row' }, key), h('td', {}, shown(x)), h('td', {}, shown(y)))))));
    };

    const settings = async (run: Run) => {
        const all = await getOnce<Record<string, Cell | string[]>>(ofFit(`runs/${run.id}`), stop.signal);
        const keys = Object.keys(all).filter((key) => !['log', 'id'].includes(key));
        return h('div', {}, h('details', { class: 'more' }, h('summary', {}, 'All settings and numbers'), h('table', { class: 'shapes' }, h('tbody', {}, ...keys.map((key) => h('tr', {}, h('th', { scope: 'row' }, key), h('td', {}, shown(all[key] as Cell))))))),
            Array.isArray(all.log) && all.log.length > 0 && h('pre', { class: 'log', tabindex: 0, 'aria-label': 'Last lines of the log' }, all.log.join('\n')), h('p', {}, h('code', { class: 'command' }, `plimsoll runs show ${run.id}`)));
    };

    const show = (parameters: URLSearchParams) => {
        const wanted = (parameters.get('runs') ?? '').split(',').filter((id) => /^[0-9a-f]{16}$/.test(id)).slice(0, MOST);
        const wantedFit = /^[0-9a-f]{16}$/.test(parameters.get('fit') ?? '') ? parameters.get('fit')! : '';
        const same = wanted.join() === chosen.join() && (parameters.get('where') ?? '') === where && wantedFit === fit && runs.length > 0;
        if (same) return;
        chosen = wanted;
        fit = wantedFit;
        figure = Object.fromEntries(['x', 'y', 'series'].flatMap((name) => (parameters.get(name) ? [[name, parameters.get(name)]] : [])));
        metrics.clear();
        where = parameters.get('where') ?? '';
        filter.value = where;
        title.textContent = fit ? 'Runs of a fit' : 'Runs';
        back.hidden = !fit;
        drawHeads();
        fits.load(fit);
        void load();
    };
    return { element, show, dispose: () => { clearTimeout(timer); fits.dispose(); stop.abort(); } };
}

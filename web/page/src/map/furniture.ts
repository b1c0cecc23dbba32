// What stands around the chart: key, filters, tips, the table, how to read it.

import { hasServer, type MapData, type MapModel } from '../api';
import { h, mark, s } from '../dom';
import { grouped, human, parseCount, shape, short } from '../format';
import { lineDepth, lineFormula, type LoadLine } from '../line';
import type { Lines } from './draw';
import { isBottlenecked, type Filters, type Place } from './places';

const LINE_NAMES: [keyof Lines, string][] = [['valley', 'valley: depths that cost at most 1 % of loss'], ['levine', 'Levine’s law'], ['kaplan', 'Kaplan’s best aspect'], ['nanochat', 'nanochat'], ['threshold', 'published threshold'], ['knee', 'knee T'], ['rivals', 'what others advise for the budget'], ['context', 'context'], ['vocabulary', 'vocabulary or patch'], ['capacity', 'capacity']];

function dot(filled: boolean, count = 0): SVGSVGElement {
    const r = count ? 8 : 3.6;
    return s('svg', { viewBox: '-10 -10 20 20', width: 20, height: 20, 'aria-hidden': 'true' },
        s('circle', { r, fill: filled ? 'var(--warn-fill)' : 'var(--dot-fill)', stroke: filled ? 'var(--warn)' : 'var(--dot)', 'stroke-width': 1.3 }),
        count > 0 && s('text', { y: 3.8, 'text-anchor': 'middle', 'font-size': 10.5, 'font-weight': 600, fill: 'var(--ink)' }, String(count)));
}

/** The key with the choice of lines. */
export function lineControls(lines: Lines, small: boolean, changed: () => void): HTMLElement[] {
    const boxes = LINE_NAMES.map(([name, words]) => {
        const box = h('input', { type: 'checkbox' });
        box.checked = lines[name];
        box.addEventListener('change', () => { lines[name] = box.checked; changed(); });
        return h('label', {}, box, words);
    });
    const items = [
        h('span', { class: 'item' }, dot(false), 'one model'), h('span', { class: 'item' }, dot(false, 9), 'several models'), h('span', { class: 'item' }, dot(true), 'bottleneck inside'),
        h('span', { class: 'item iso' }, s('svg', { viewBox: '0 0 24 10', width: 24, height: 10, 'aria-hidden': 'true' }, s('path', { d: 'M0 5h24', stroke: 'var(--iso)' })), 'equal parameters'),
        h('span', { class: 'item' }, h('span', { class: 'water' }), 'capacity, darker is more'),
    ];
    return [...(small ? [] : items), h('details', { class: 'popover lines' }, h('summary', {}, 'lines'), h('fieldset', {}, h('legend', { class: 'hidden-text' }, 'Lines of the chart'), ...boxes))];
}

function choice(label: string, values: string[], now: string, set: (value: string) => void): HTMLElement {
    const select = h('select', {}, h('option', { value: '' }, 'all'), ...values.map((value) => h('option', { value }, value)));
    select.value = now;
    select.addEventListener('change', () => set(select.value));
    return h('label', {}, h('span', {}, label), select);
}

function amount(label: string, now: number | null, set: (value: number | null) => void, plain = false): HTMLElement {
    const input = h('input', { autocomplete: 'off', size: 6 });
    input.value = now === null ? '' : plain ? String(now) : short(now);
    input.addEventListener('change', () => set(parseCount(input.value)));
    return h('label', {}, h('span', {}, label), input);
}

const distinct = (values: string[]) => [...new Set(values)].sort();

/** Filters by kind, input, family, year and size. */
export function filterControls(models: MapModel[], filters: Filters, changed: () => void): HTMLElement {
    const set = <K extends keyof Filters>(name: K) => (value: Filters[K]) => { filters[name] = value; changed(); };
    const active = Object.values(filters).filter((value) => value !== '' && value !== null).length;
    return h('details', { class: 'popover filters' }, h('summary', {}, active > 0 ? `filters (${active})` : 'filters'),
        h('fieldset', {}, h('legend', { class: 'hidden-text' }, 'Which models'),
            choice('kind', distinct(models.map(({ kind }) => kind)), filters.kind, set('kind')),
            choice('input', distinct(models.map(({ modality }) => modality)), filters.modality, set('modality')),
            choice('family', distinct(models.map(({ family }) => family)), filters.family, set('family')),
            amount('year from', filters.from, set('from'), true), amount('to', filters.to, set('to'), true),
            amount('parameters from', filters.least, set('least')), amount('to', filters.most, set('most')),
            active > 0 && h('button', { type: 'button', class: 'link', onClick: () => { Object.assign(filters, { kind: '', modality: '', family: '', from: null, to: null, least: null, most: null }); changed(); } }, 'show all')));
}

/** What a place is, in a tip. */
export function tipFor(place: Place): Node[] {
    if (place.models.length > 1) {
        const sorted = [...place.models].sort((a, b) => Number(isBottlenecked(b)) - Number(isBottlenecked(a)));
        const shown = sorted.slice(0, 8).map((model) => h('li', { class: isBottlenecked(model) ? 'bad' : null }, model.name));
        const more = sorted.length - shown.length;
        return [h('p', {}, shape(place.depth, place.width)), h('ul', {}, ...shown, more > 0 && h('li', { class: 'faint' }, `and ${more} more`))];
    }
    const [model] = place.models;
    const worst = model.findings[0];
    return [h('p', {}, h('b', {}, model.name), ` ${model.year}`), h('p', {}, `${model.layers}${model.decoder_layers ? ` + ${model.decoder_layers}` : ''} layers × ${grouped(model.width)}${model.parameters ? `, ${human(model.parameters)}` : ''}`),
        h('p', { class: worst?.severity === 'severe' ? 'bad' : 'faint' }, worst ? `${worst.title}: ${worst.reading}` : 'nothing needs action')];
}

/** The chart's rows as a table that can be sorted. */
export function tableOf(models: MapModel[], line: LoadLine, select: (model: MapModel) => void): HTMLElement {
    const rows = models.map((model) => ({ model, cells: [model.name, model.depth, model.width, Math.round(lineDepth(line, model.width)), model.parameters ?? 0, model.year, model.findings.map(({ title, reading }) => `${title}: ${reading}`).join('; ')] as (string | number)[] }));
    const names = ['model', 'layers', 'width', 'line', 'parameters', 'year', 'findings'];
    const body = h('tbody');
    const draw = () => body.replaceChildren(...rows.map(({ model, cells }) => h('tr', {}, h('th', { scope: 'row' }, h('button', { type: 'button', class: 'link', onClick: () => select(model) }, String(cells[0]))), ...cells.slice(1).map((cell, i) => h('td', { class: i < 5 ? 'number' : null }, i === 3 ? human(Number(cell)) : i === 4 ? String(cell) : typeof cell === 'number' ? grouped(cell) : cell)))));
    let sorted = -1;
    let order = 1;
    const sort = (column: number, heads: HTMLElement[]) => {
        order = sorted === column ? -order : 1;
        sorted = column;
        rows.sort((a, b) => (typeof a.cells[column] === 'number' ? Number(a.cells[column]) - Number(b.cells[column]) : String(a.cells[column]).localeCompare(String(b.cells[column]))) * order);
        heads.forEach((head, i) => head.setAttribute('aria-sort', i === column ? (order > 0 ? 'ascending' : 'descending') : 'none'));
        draw();
    };
    const heads: HTMLElement[] = names.map((name, i): HTMLElement => h('th', { scope: 'col', 'aria-sort': 'none' }, h('button', { type: 'button', onClick: () => sort(i, heads) }, name)));
    draw();
    return h('table', { class: 'models' }, h('caption', {}, 'The models of the map'), h('thead', {}, h('tr', {}, ...heads)), body);
}

/** With nothing selected. */
export function howToRead(data: MapData): HTMLElement {
    const at = (width: number) => Math.round(lineDepth(data.load_line, width));
    return h('section', { class: 'how' }, h('h2', {}, 'How to read this map'),
        h('dl', {},
            h('dt', {}, s('svg', { viewBox: '0 0 40 20', width: 40, height: 20, 'aria-hidden': 'true' }, s('path', { d: 'M1 3 39 15', stroke: 'var(--line)', 'stroke-width': 2.8 }), s('path', { d: 'M8 6l-2 6M20 9.500l-2 6M32 13l-2 6', stroke: 'var(--line)', 'stroke-width': 1.3 }))),
            h('dd', {}, h('b', {}, 'The load line. '), `The depth that trained best at each width: ${at(512)} layers at width 512, ${at(4096)} at ${grouped(4096)}. Fitted to the published losses of four studies, near L = ${lineFormula(data.load_line).layers} (d / 1${'\u202f'}024)`, h('sup', {}, lineFormula(data.load_line).power), `; the tinted valley around it costs at most 1 % of loss.`),
            h('dt', {}, dot(false), dot(true)), h('dd', {}, h('b', {}, 'A published model, '), 'filled where something inside it is a bottleneck, whatever its depth.'),
            h('dt', {}, mark(30)), h('dd', { class: 'accent-mark' }, h('b', {}, 'The mark: '), 'where a network for your budget should be. Drag the line of the budget, the shore of the vocabulary or the context.')),
        h('p', { class: 'faint' }, hasServer() ? 'Find your model with the search, or drop its config.json, .safetensors or .gguf anywhere. Click on open water to judge a network that is not there.' : 'Find your model with the search. With plimsoll serve this page also judges your own files and networks that are not there.'));
}

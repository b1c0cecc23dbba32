// The rank of a small network, measured while one watches, and the theorems on trial.

import { ApiError, getOnce, type MapData, query } from '../api';
import { dataLinks, fitted, linearTicks, niceCeiling, pathOf, plot, type Size } from '../charts';
import { announce, clear, h, s } from '../dom';
import { grouped } from '../format';
import type { View } from '../main';
import { go } from '../router';

interface Step { size: number; rank: number; seconds: number }
interface Bound { id: string; side: string; value: string | null; log3: number; standing: string; sound: boolean; note: string; agreement: string }
interface Report { spec: string; positions: number | null; rank: number; exact: boolean; saturated: boolean; size: number; construction: string; backend: string; seconds: number; certifies: string; attained: string; bounds: Bound[]; partition: string }
interface Claim { id: string; statement: string; standing: string; verdict: string; expected: string; as_expected: boolean; because: string; held: number; failed: number; undecided: number; seconds: number; counterexample: { case: string; said: string; found: string; command: string } | null }
interface Measured { spec: string; positions: string; rank: number; exact: boolean; attained: string }

const FAMILIES: Record<string, { keys: [string, number, number, number][]; positions: boolean }> = {
    attention: { keys: [['depth', 3, 1, 6], ['width', 3, 1, 12], ['heads', 1, 1, 12]], positions: true },
    'square-mixer': { keys: [['rows', 2, 2, 8], ['cols', 2, 2, 8], ['depth', 2, 1, 6]], positions: false },
    'square-mlp': { keys: [['rows', 2, 1, 8], ['cols', 2, 1, 8], ['depth', 2, 1, 6]], positions: false },
};

const STORE = 'plimsoll-ranks';

function remembered(): Measured[] {
    try {
        return (JSON.parse(localStorage.getItem(STORE) ?? '[]') as Measured[]).slice(0, 40);
    } catch {
        return [];
    }
}

function remember(report: Report) {
    const entry = { spec: report.spec, positions: String(report.positions ?? ''), rank: report.rank, exact: report.exact, attained: report.attained };
    const others = remembered().filter(({ spec, positions }) => spec !== entry.spec || positions !== entry.positions);
    try {
        localStorage.setItem(STORE, JSON.stringify([entry, ...others].slice(0, 40)));
    } catch { /* a browser that keeps nothing still shows the answer */ }
}

const valueOf = (bound: Bound) => (bound.value === null ? null : Number(bound.value));
const boundText = (bound: Bound) => (bound.value === null ? `3^${bound.log3.toFixed(1)}` : bound.value.length < 12 ? grouped(Number(bound.value)) : `10^${(bound.log3 * 0.4771).toFixed(1)}`);

// attained, holds, refuted, undecided.
function verdictOf(bound: Bound, rank: number): string {
    const value = valueOf(bound);
    if (bound.side === 'upper' && value !== null && rank > value) return 'refuted here';
    return bound.agreement;
}

const STANDINGS: Record<string, string> = { repaired: 'repaired', refuted: 'published, refuted elsewhere', proved: 'proved', conjectured: 'conjectured' };

// Nested squares, one for each step; what the rank leaves is empty.
function squares(steps: Step[], rank: number): SVGSVGElement {
    const last = steps.at(-1)!;
    const scale = 240 / last.size;
    const inner = rank * scale;
    const root = s('svg', { class: 'squares', viewBox: '0 0 330 268', role: 'img', 'aria-label': `A matrix of ${last.size} by ${last.size} samples, of which ${rank} rows are independent` },
        s('rect', { x: 1, y: 1, width: 240, height: 240, fill: 'none', stroke: 'var(--rule-strong)' }));
    const shown = steps.filter((_, i) => steps.length < 14 || i % Math.ceil(steps.length / 14) === 0);
    for (const step of [...shown].reverse()) {
        const side = Math.min(step.rank, rank) * scale;
        root.append(s('rect', { x: 1, y: 1, width: side, height: side, fill: 'var(--schematic)', 'fill-opacity': 0.09, stroke: 'var(--schematic)', 'stroke-width': 0.9 }));
    }
    root.append(s('text', { x: Math.max(inner - 8, 96), y: Math.max(inner - 20, 30), 'text-anchor': 'end', class: 'note strong' }, `${grouped(rank)} × ${grouped(rank)}`), s('text', { x: Math.max(inner - 8, 96), y: Math.max(inner - 6, 44), 'text-anchor': 'end', class: 'note' }, 'independent'));
    if (rank < last.size) root.append(s('rect', { x: 1 + inner, y: 1 + inner, width: 240 - inner, height: 240 - inner, fill: 'var(--surface)', stroke: 'var(--accent)', 'stroke-width': 1.6 }), s('text', { x: 250, y: 240 - (240 - inner) / 2 + 4, class: 'note accent' }, 'all zero'));
    root.append(s('text', { x: 121, y: 260, 'text-anchor': 'middle', class: 'note' }, `${grouped(last.size)} samples a side`));
    return root;
}

function rankChart(steps: Step[], report: Report | null, size: Size): SVGSVGElement {
    const last = steps.at(-1) ?? { size: 8, rank: 8 };
    const highX = Math.max(16, last.size * 1.04);
    const top = niceCeiling(Math.max(16, last.rank * 1.15));
    const bounds = (report?.bounds ?? []).filter((bound) => bound.side === 'upper' && valueOf(bound) !== null);
    const inside = bounds.filter((bound) => valueOf(bound)! <= top);
    const p = plot(size, { low: 0, high: highX, log: false, ticks: linearTicks(highX), title: 'samples on each side', text: grouped }, { low: 0, high: top, log: false, ticks: linearTicks(top), title: 'rank', text: grouped }, `The rank against the size of the matrix; it is ${last.rank} at ${last.size} samples`);
    const full = Math.min(highX, top);
    p.root.append(s('path', { d: pathOf([[p.x(0), p.y(0)], [p.x(full), p.y(full)]]), stroke: 'var(--ink-3)', 'stroke-dasharray': '2 4', fill: 'none' }));
    const seen = new Set<number>();
    const taken: number[] = [];
    for (const bound of inside) {
        const value = valueOf(bound)!;
        if (seen.has(value)) continue;
        seen.add(value);
        const names = inside.filter((other) => valueOf(other) === value).map(({ id }) => id).join(', ');
        const broken = report !== null && report.rank > value;
        taken.push(p.y(value) - 12);
        p.root.append(s('path', { d: `M${p.left} ${p.y(value)}H${p.right}`, stroke: broken ? 'var(--warn)' : 'var(--line)', 'stroke-width': broken ? 2 : 2.4, 'stroke-dasharray': broken ? '7 4' : null }),
            s('text', { x: p.left + 10, y: p.y(value) - 8, class: `note strong${broken ? ' warn' : ''}` }, `${names}: ${grouped(value)}, ${broken ? 'refuted here' : report!.rank === value ? 'attained' : 'holds'}`));
    }
    p.root.append(s('path', { d: pathOf([[p.x(0), p.y(0)], ...steps.map(({ size, rank }): [number, number] => [p.x(size), p.y(rank)])]), fill: 'none', stroke: 'var(--accent)', 'stroke-width': 2.4 }),
        ...steps.map(({ size, rank }) => s('circle', { cx: p.x(size), cy: p.y(rank), r: 4.2, fill: 'var(--surface)', stroke: 'var(--accent)', 'stroke-width': 2 })));
    // Where the measurement passes through a bound, that is refuted.
    for (const value of seen) if (report && report.rank > value) p.root.append(s('path', { d: `M${p.x(value) - 7} ${p.y(value) - 7}l14 14m0-14l-14 14`, stroke: 'var(--warn)', 'stroke-width': 2.4 }));
    // The upper left is free: the rank cannot pass the diagonal.
    let y = p.top + 16;
    const off = bounds.filter((bound) => valueOf(bound)! > top).slice(0, 4);
    off.forEach((bound, i) => {
        while (taken.some((at) => Math.abs(at - y) < 16)) y += 4;
        p.root.append(s('text', { x: p.left + 10, y, class: 'note' }, `${i === 0 ? 'off the scale: ' : ''}${bound.id} ${boundText(bound)}`));
        y += 17;
    });
    return p.root;
}

export function rankView(_data: MapData): View {
    const title = h('h1', { id: 'main-start', tabindex: -1 }, 'How much can a network tie together?');
    const lead = h('p', { class: 'lead' }, 'Exact elimination over a prime field: the matrix grows, the rank follows it, then stays. Where it stays is the separation rank.');
    const form = h('form', { class: 'rank-form' });
    const left = h('div', { class: 'panel-card rank-left' });
    const right = h('div', { class: 'panel-card rank-right' });
    const list = h('div', { class: 'panel-card' });
    const trial = h('div', { class: 'panel-card trial' });
    const element = h('section', { class: 'page rank-view' }, h('div', { class: 'page-title' }, title, lead), form, h('div', { class: 'rank-columns' }, left, right), list, trial);
    let source: EventSource | null = null;
    let steps: Step[] = [];
    let report: Report | null = null;
    let asked = '';
    let stopTrial: AbortController | null = null;

    const draw = (state: string) => {
        const last = steps.at(-1);
        const rank = report?.rank ?? last?.rank ?? 0;
        const settled = report ? `${report.exact ? 'settled' : 'not certain'}: ${report.construction}, ${report.backend}, ${report.seconds.toFixed(2)} s` : state;
        if (report) title.textContent = report.exact ? `The rank stops at ${grouped(report.rank)}` : `The rank is at least ${grouped(report.rank)}${report.saturated ? '; the matrix was not large enough' : ''}`;
        else if (last) title.textContent = `The rank is at least ${grouped(last.rank)}`;
        clear(left, h('p', { class: 'eyebrow' }, h('span', {}, 'Measured separation rank')), h('p', { class: 'measured' }, grouped(rank)), h('p', { class: 'faint' }, settled), steps.length > 0 && squares(steps, rank), report && boundTable(report), report && h('p', { class: 'faint' }, report.certifies));
        clear(right, fitted(0.6, (size) => rankChart(steps, report, size)), steps.length > 0 && dataLinks('rank', ['size', 'rank', 'seconds'], steps.map(({ size, rank: found, seconds }) => [size, found, seconds]), `plimsoll rank ${asked}`));
    };

    const boundTable = (of: Report) => h('table', { class: 'shapes bounds' }, h('caption', { class: 'hidden-text' }, 'Bounds beside the measurement'), h('tbody', {}, ...of.bounds.filter(({ side }) => side === 'upper').map((bound) => h('tr', {},
        h('th', { scope: 'row' }, `${bound.id}${bound.note ? ` (${bound.note})` : ''}`, h('small', {}, ` ${STANDINGS[bound.standing] ?? bound.standing}`)), h('td', {}, `${boundText(bound)}, ${verdictOf(bound, of.rank)}`)))));

    const drawList = () => {
        const all = remembered();
        clear(list, h('h3', {}, 'Ranks measured so far'), all.length === 0 ? h('p', { class: 'faint' }, 'None in this browser yet.') : h('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Ranks measured so far' }, h('table', { class: 'shapes' }, h('thead', {}, h('tr', {}, ...['network', 'positions', 'rank', 'bound attained'].map((name) => h('th', { scope: 'col' }, name)))),
            h('tbody', {}, ...all.map((one) => h('tr', {}, h('th', { scope: 'row' }, h('a', { href: `#rank?${query({ spec: one.spec, positions: one.positions })}` }, one.spec)), h('td', {}, one.positions), h('td', {}, `${one.exact ? '' : 'at least '}${grouped(one.rank)}`), h('td', {}, one.attained || 'none')))))));
    };

    const button = h('button', { class: 'go' }, 'Measure');
    const cancel = h('button', { type: 'button', hidden: true, onClick: () => stop('cancelled') }, 'Cancel');

    const stop = (why: string) => {
        source?.close();
        source = null;
        button.hidden = false;
        cancel.hidden = true;
        if (why) draw(why);
    };

    const measure = (spec: string, positions: string) => {
        stop('');
        steps = [];
        report = null;
        asked = `${spec}${positions ? ` --positions ${positions}` : ''}`;
        button.hidden = true;
        cancel.hidden = false;
        draw('waiting for the first block');
        source = new EventSource(`api/v1/rank/stream?${query({ spec, positions })}`);
        source.addEventListener('size', (event) => {
            steps.push(JSON.parse((event as MessageEvent<string>).data) as Step);
            draw('the matrix grows');
        });
        source.addEventListener('report', (event) => {
            report = JSON.parse((event as MessageEvent<string>).data) as Report;
            remember(report);
            stop(' ');
            drawList();
            announce(`${title.textContent}. ${report.certifies}`);
        });
        source.addEventListener('problem', (event) => {
            const { where, message } = JSON.parse((event as MessageEvent<string>).data) as { where: string; message: string };
            stop('');
            clear(left, h('p', { class: 'problem', role: 'alert' }, where ? `${where}: ${message}` : message));
        });
        // A refusal has no events: ask again to have its words.
        source.onerror = () => {
            if (!source) return;
            stop('');
            getOnce(`rank?${query({ spec, positions, max_size: 8 })}`).then(() => draw('the connection was lost'), (problem: Error) => clear(left, h('p', { class: 'problem', role: 'alert' }, problem instanceof ApiError ? problem.text : problem.message)));
        };
    };

    const fill = (spec: string, positions: string) => {
        const [family, rest = ''] = spec.split(':');
        const known = FAMILIES[family] ? family : 'attention';
        const values = new Map(rest.split(',').map((pair) => pair.split('=') as [string, string]));
        const select = h('select', { 'aria-label': 'Family' }, ...Object.keys(FAMILIES).map((name) => h('option', { value: name }, name)));
        select.value = known;
        select.addEventListener('change', () => fill(`${select.value}:`, ''));
        const inputs = FAMILIES[known].keys.map(([name, usual, least, most]) => {
            const input = h('input', { type: 'number', name, min: least, max: most, value: values.get(name) ?? usual });
            return { name, input, label: h('label', { class: 'field' }, h('span', {}, name), input) };
        });
        const place = h('input', { type: 'number', min: 2, max: 64, name: 'positions', value: positions || 6 });
        clear(form, h('label', { class: 'field' }, h('span', {}, 'network'), select), ...inputs.map(({ label }) => label), FAMILIES[known].positions && h('label', { class: 'field' }, h('span', {}, 'positions'), place), button, cancel);
        form.onsubmit = (event) => {
            event.preventDefault();
            const words = `${known}:${inputs.map(({ name, input }) => `${name}=${input.value}`).join(',')}`;
            const where = FAMILIES[known].positions ? place.value : '';
            const before = location.hash;
            go('rank', { spec: words, positions: where });
            if (location.hash === before) measure(words, where);
        };
    };

    const drawTrial = () => {
        const begin = h('button', { type: 'button', onClick: () => void putToTheTest(begin) }, 'Put all of them to the test');
        clear(trial, h('h3', {}, 'The theorems on trial'), h('p', {}, 'Every claim of the papers that a measurement can test, tried on small cases: what it says, and what is found. It takes some seconds.'), begin);
    };

    const putToTheTest = async (begin: HTMLButtonElement) => {
        begin.disabled = true;
        begin.textContent = 'Measuring';
        stopTrial = new AbortController();
        try {
            const answer = await getOnce<{ claims: Claim[]; seconds: number }>('verify', stopTrial.signal);
            const order = { fails: 0, undecided: 1, holds: 2 } as Record<string, number>;
            const claims = [...answer.claims].sort((a, b) => order[a.verdict] - order[b.verdict]);
            const failed = claims.filter(({ verdict }) => verdict === 'fails').length;
            clear(trial, h('h3', {}, 'The theorems on trial'), h('p', {}, `${claims.length} claims in ${answer.seconds.toFixed(1)} s: ${failed} fail, ${claims.filter(({ verdict }) => verdict === 'holds').length} hold.`),
                h('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Claims' }, h('table', { class: 'shapes claims' }, h('thead', {}, h('tr', {}, ...['claim', 'verdict', 'cases', 'what it says', 'counterexample'].map((name) => h('th', { scope: 'col' }, name)))),
                    h('tbody', {}, ...claims.map((claim) => h('tr', { class: claim.verdict }, h('th', { scope: 'row' }, claim.id), h('td', { class: 'verdict-word' }, claim.verdict), h('td', {}, `${claim.verdict === 'fails' ? claim.failed : claim.held} of ${claim.held + claim.failed + claim.undecided}`), h('td', { class: 'words' }, claim.statement),
                        h('td', { class: 'words' }, claim.counterexample ? `${claim.counterexample.case}: said ${claim.counterexample.said}, found ${claim.counterexample.found}` : '')))))),
                dataLinks('verify', ['claim', 'verdict', 'held', 'failed', 'undecided', 'statement'], claims.map((claim) => [claim.id, claim.verdict, claim.held, claim.failed, claim.undecided, claim.statement]), 'plimsoll verify'));
            announce(`${failed} of ${claims.length} claims fail`);
        } catch (problem) {
            if ((problem as Error).name !== 'AbortError') clear(trial, h('p', { class: 'problem', role: 'alert' }, problem instanceof ApiError ? problem.text : String(problem)));
        }
    };

    const show = (parameters: URLSearchParams) => {
        const spec = parameters.get('spec') ?? '';
        const positions = parameters.get('positions') ?? '';
        fill(spec || 'attention:depth=3,width=3,heads=1', positions || '6');
        drawList();
        if (!trial.hasChildNodes()) drawTrial();
        if (spec) measure(spec, positions);
        else {
            clear(left, h('p', {}, 'Choose a small network and press Measure. Three layers of width 3 take a second.'));
            clear(right, fitted(0.6, (size) => rankChart([], null, size)));
        }
    };
    return { element, show, dispose: () => { stop(''); stopTrial?.abort(); } };
}

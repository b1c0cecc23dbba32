// A budget in, a shape out, with all that speaks for and against it.

import { type Advice, ApiError, getOnce, type MapData, query, type Shape } from '../api';
import { symbol } from '../card';
import type { Box } from '../map/labels';
import { dataLinks, fitted, names, pathOf, plot, type Size } from '../charts';
import { announce, clear, h, s } from '../dom';
import { grouped, human, shape, short, spaced } from '../format';
import type { View } from '../main';
import { go } from '../router';

// What the form asks, as the API names it; empty is not sent.
const FIELDS: { name: string; label: string; usual: string; choices?: string[] }[] = [
    { name: 'params', label: 'Parameters', usual: '100M' },
    { name: 'flops', label: 'or training FLOPs', usual: '' },
    { name: 'gpu_hours', label: 'or GPU-hours', usual: '' },
    { name: 'vocab', label: 'Vocabulary', usual: '' },
    { name: 'patch', label: 'or patch', usual: '' },
    { name: 'context', label: 'Context', usual: '' },
    { name: 'family', label: 'Family', usual: 'transformer', choices: ['transformer', 'mixer'] },
    { name: 'block', label: 'Block', usual: '', choices: ['', 'gpt2', 'llama'] },
    { name: 'by', label: 'Ties by', usual: 'flops', choices: ['flops', 'latency', 'memory'] },
];
const PLACEHOLDERS: Record<string, string> = { flops: '1e20', gpu_hours: '100', vocab: '32000', patch: '16x16x3', context: '1024' };

type Wishes = Record<string, string>;

// A budget of another kind, or patches, take the place of what is usual.
function wishesOf(parameters: URLSearchParams): Wishes {
    const wishes: Wishes = {};
    for (const { name } of FIELDS) if (parameters.get(name)) wishes[name] = parameters.get(name)!;
    if (!wishes.params && !wishes.flops && !wishes.gpu_hours) wishes.params = '100M';
    if (wishes.family === 'mixer' && !wishes.patch && !wishes.context) wishes.patch = '16x16x3';
    return wishes;
}

const commandOf = (wishes: Wishes) => `plimsoll advise ${Object.entries(wishes).map(([name, value]) => `--${name.replace('_', '-')} ${value}`).join(' ')}`;

const SEVERITIES = { act: 'severe', note: 'notice', passed: 'ok' } as const;

// On a phone what can be worked out from the rest is left out: heads and FLOPs are in the files.
function table(caption: string, shapes: Shape[], advised: number): HTMLElement {
    const heads = ['choice', 'layers', 'width', 'heads', 'parameters', 'loss %', 'FLOPs a token'];
    const place = (name: string) => (name === 'heads' || name === 'FLOPs a token' ? 'roomy' : null);
    return h('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': caption }, h('table', { class: 'shapes' }, h('caption', {}, caption), h('thead', {}, h('tr', {}, ...heads.map((name) => h('th', { scope: 'col', class: place(name) }, name)))),
        h('tbody', {}, ...shapes.map((one, i) => h('tr', { class: i === advised ? 'advised' : null }, h('th', { scope: 'row' }, one.label, one.source && h('small', {}, one.source)), h('td', {}, grouped(one.depth)), h('td', {}, grouped(one.width)),
            h('td', { class: 'roomy' }, one.heads ? `${one.heads} of ${one.head_dim}` : ''), h('td', {}, human(one.parameters)), h('td', {}, one.expected_loss_percent === undefined || one.expected_loss_percent === null ? '' : one.expected_loss_percent.toFixed(2)), h('td', { class: 'roomy' }, human(one.forward_flops)))))));
}

const DEPTHS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

// What each depth is expected to cost at this budget, with everybody's shapes on it.
function costChart(advice: Advice, size: Size): SVGSVGElement {
    const most = 5;
    const curve = advice.curve.filter(({ expected_loss_percent }) => expected_loss_percent <= most);
    const chart = plot(size, { low: 1, high: 256, log: true, ticks: DEPTHS, title: 'layers, at this budget' },
        { low: 0, high: most, log: false, ticks: [0, 1, 2, 3, 4, 5], title: 'expected loss beside the best, %' }, `Expected loss against depth. The valley reaches from ${advice.valley?.low.toFixed(0)} to ${advice.valley?.high.toFixed(0)} layers; advised are ${advice.answer.depth}.`);
    const { root, x, y, top, bottom } = chart;
    const taken: Box[] = [];
    if (advice.valley) {
        const [low, high] = [Math.max(1, advice.valley.low), Math.min(256, advice.valley.high)];
        taken.push({ left: (x(low) + x(high)) / 2 - 60, right: (x(low) + x(high)) / 2 + 60, top, bottom: top + 22 });
        root.append(s('rect', { x: x(low), y: top, width: x(high) - x(low), height: bottom - top, fill: 'var(--good)', opacity: 0.12 }), s('text', { x: (x(low) + x(high)) / 2, y: top + 16, 'text-anchor': 'middle', class: 'note good' }, 'costs at most 1 %'));
    }
    root.append(s('path', { d: pathOf(curve.map((point) => [x(point.depth), y(point.expected_loss_percent)])), fill: 'none', stroke: 'var(--line)', 'stroke-width': 2.4 }));
    const line = curve.map((point): [number, number] => [x(point.depth), y(point.expected_loss_percent)]);
    for (const [cx, cy] of line) taken.push({ left: cx - 3, right: cx + 3, top: cy - 3, bottom: cy + 3 });
    const rivals = advice.rivals.filter(({ depth, expected_loss_percent }) => depth <= 256 && expected_loss_percent <= most).map((rival) => ({ x: x(rival.depth), y: y(rival.expected_loss_percent), text: rival.label }));
    root.append(...rivals.map((rival) => s('path', { d: `M${rival.x} ${rival.y - 5}l5 5l-5 5l-5-5Z`, fill: 'var(--surface)', stroke: 'var(--accent)', 'stroke-width': 1.4 })));
    const [ax, ay] = [x(advice.answer.depth), y(advice.answer.expected_loss_percent)];
    root.append(s('circle', { cx: ax, cy: ay, r: 9, fill: 'var(--surface)', stroke: 'var(--accent)', 'stroke-width': 2.6 }), s('path', { d: `M${ax - 16} ${ay}h32`, stroke: 'var(--accent)', 'stroke-width': 2.6 }));
    taken.push({ left: ax - 18, right: ax + 18, top: ay - 12, bottom: ay + 12 });
    root.append(...names(chart, rivals, taken));
    return root;
}

function reasonRow(reason: Advice['reasons'][number]): HTMLElement {
    return h('details', { class: `finding ${SEVERITIES[reason.severity]}` }, h('summary', {}, symbol(SEVERITIES[reason.severity]), h('span', { class: 'title' }, `${reason.name.charAt(0).toUpperCase()}${reason.name.slice(1)}`),
        h('span', { class: 'value' }, spaced(reason.line ? `${reason.value} : ${reason.line}` : reason.value)), h('span', { class: 'reading' }, spaced(reason.reading))),
        h('div', { class: 'source' }, h('p', { class: 'faint' }, `${reason.rule}, ${reason.source}: ${reason.standing}.`)));
}

function answerOf(advice: Advice, wishes: Wishes): Node[] {
    const { answer } = advice;
    const asked = query(wishes);
    const curveRows = advice.curve.map((point) => [point.depth, point.width, point.expected_loss_percent, point.log3_capacity]);
    const shapes = [answer, ...advice.alternatives];
    return [
        h('section', { class: 'panel-card answer' }, h('p', { class: 'eyebrow' }, h('span', {}, `Advised for ${short(advice.request.params)} parameters`)),
            h('h2', { class: 'big' }, shape(answer.depth, answer.width), answer.heads ? h('small', {}, ` ${answer.heads} heads of ${answer.head_dim}, ${answer.block === 'llama' ? 'Llama’s' : 'GPT-2’s'} block`) : null),
            ...advice.why.map((sentence) => h('p', {}, spaced(sentence))), ...advice.warnings.map((sentence) => h('p', { class: 'problem' }, spaced(sentence))),
            advice.request.assumed.length > 0 && h('p', { class: 'faint' }, `Assumed: ${advice.request.assumed.map(spaced).join('; ')}.`),
            h('p', { class: 'actions' }, h('a', { class: 'button', href: `api/v1/advise/config?${asked}`, download: '' }, 'Download config.json'), h('a', { class: 'button', href: `#map?${query({ params: short(advice.request.params), vocab: advice.request.vocab, context: null })}` }, 'Show it on the map'))),
        advice.curve.length > 0 && answer.expected_loss_percent !== undefined && advice.valley ? h('section', { class: 'panel-card chart-card' }, h('h3', {}, 'What depth costs at this budget'), fitted(0.5, (size) => costChart(advice, size)), dataLinks('advice-curve', ['depth', 'width', 'expected_loss_percent', 'log3_capacity'], curveRows, `${commandOf(wishes)} --json`)) : h('span'),
        h('section', { class: 'panel-card' }, table('Shapes for this budget', shapes, 0)),
        advice.rivals.length > 0 ? h('section', { class: 'panel-card' }, table('What others say', advice.rivals, -1), ...advice.rival_notes.map((note) => h('p', { class: 'faint' }, spaced(note)))) : h('span'),
        h('section', { class: 'panel-card findings' }, h('h3', {}, 'What speaks for and against it'), ...advice.reasons.map(reasonRow)),
    ];
}

export function adviseView(_data: MapData): View {
    const form = h('form', { class: 'advise-form' });
    const answer = h('div', { class: 'advise-answer' });
    const element = h('section', { class: 'page advise-view' }, h('div', { class: 'page-title' }, h('h1', { id: 'main-start', tabindex: -1 }, 'How deep and how wide, for this budget?')), form, answer);
    let stop: AbortController | null = null;
    const inputs = FIELDS.map((field) => {
        const input = field.choices ? h('select', { name: field.name }, ...field.choices.map((choice) => h('option', { value: choice }, choice || 'either'))) : h('input', { name: field.name, autocomplete: 'off', spellcheck: 'false', placeholder: PLACEHOLDERS[field.name] ?? '' });
        form.append(h('label', { class: `field ${field.name}` }, h('span', {}, field.label), input));
        return { field, input };
    });
    form.append(h('button', { class: 'go' }, 'Advise'));
    form.addEventListener('submit', (event) => {
        event.preventDefault();
        const wishes = Object.fromEntries(inputs.map(({ field, input }) => [field.name, input.value.trim()]).filter(([name, value]) => value && value !== FIELDS.find((one) => one.name === name)!.usual || name === 'params' && value));
        if (wishes.flops || wishes.gpu_hours) delete wishes.params;
        go('advise', wishes);
    });

    const show = (parameters: URLSearchParams) => {
        const wishes = wishesOf(parameters);
        for (const { field, input } of inputs) input.value = wishes[field.name] ?? (field.choices ? field.usual : '');
        stop?.abort();
        stop = new AbortController();
        answer.setAttribute('aria-busy', 'true');
        getOnce<Advice>(`advise?${query(wishes)}`, stop.signal).then((advice) => {
            answer.removeAttribute('aria-busy');
            clear(answer, ...answerOf(advice, wishes));
            announce(`Advised: ${advice.answer.depth} layers, width ${advice.answer.width}`);
        }, (problem: Error) => {
            if (problem.name === 'AbortError') return;
            answer.removeAttribute('aria-busy');
            clear(answer, h('p', { class: 'problem', role: 'alert' }, problem instanceof ApiError ? problem.text : problem.message));
        });
    };
    return { element, show, dispose: () => stop?.abort() };
}

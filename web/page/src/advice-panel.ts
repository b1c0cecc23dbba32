// The short advice under the map.

import { type Advice, hasServer, type Shape } from './api';
import { h } from './dom';
import { grouped, human, shape, short } from './format';
import { hashOf } from './router';

const LABELS: Record<string, string> = { advised: 'advised' };

function row(one: Shape, advised: boolean): HTMLElement {
    return h('tr', { class: advised ? 'advised' : null }, h('th', { scope: 'row' }, LABELS[one.label] ?? one.label), h('td', {}, grouped(one.depth)), h('td', {}, grouped(one.width)), h('td', {}, human(one.parameters)), h('td', {}, one.expected_loss_percent.toFixed(1)));
}

/** Advice for the budget; while it is being dragged, or asked, the words of the load line alone. */
export function advicePanel(state: { params: number; vocab: number; patch: string; context: number }, advice: Advice | null, problem: string, near: string): Node[] {
    const eyebrow = h('p', { class: 'eyebrow' }, h('span', {}, `Advice for ${short(state.params)} parameters`), hasServer() && h('a', { href: hashOf('advise', state.patch ? { params: short(state.params), patch: state.patch } : { params: short(state.params), vocab: state.vocab, context: state.context }) }, 'why'));
    if (problem) return [eyebrow, h('p', { class: 'problem', role: 'alert' }, problem)];
    if (!advice) return [eyebrow, h('p', { class: 'headline' }, near ? `${near.charAt(0).toUpperCase()}${near.slice(1)}` : 'Asking the engine'), h('p', { class: 'faint' }, near ? 'By the load line; the exact shape follows.' : '')];
    const { answer } = advice;
    const other = state.patch ? h('p', { class: 'faint' }, `For patches of ${state.patch.replaceAll('x', ' × ')}${advice.request.assumed.length > 0 ? `; assumed: ${advice.request.assumed.join(', ')}` : ''}.`) : advice.request.context !== state.context ? h('p', { class: 'faint' }, `For context ${grouped(advice.request.context ?? 0)}; plimsoll serve answers for others.`) : h('span');
    return [eyebrow, h('p', { class: 'headline' }, `${shape(answer.depth, answer.width)}, ${answer.heads} heads of ${answer.head_dim}`), other,
        h('table', { class: 'choices' }, h('caption', { class: 'hidden-text' }, 'Shapes for this budget; loss in percent beside the best'),
            h('thead', {}, h('tr', {}, ...['choice', 'layers', 'width', 'parameters', 'loss %'].map((name) => h('th', { scope: 'col' }, name)))),
            h('tbody', {}, row(answer, true), ...advice.alternatives.filter(({ label }) => / end$|half|twice/.test(label)).slice(0, 4).map((one) => row(one, false))))];
}

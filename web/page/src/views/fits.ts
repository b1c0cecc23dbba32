// Fits: started, followed, stopped and resumed from the page.

import { ApiError, getOnce, query, sendOnce } from '../api';
import { announce, clear, h } from '../dom';
import { hashOf } from '../router';

export interface Fit { id: string; state: 'running' | 'stopping' | 'stopped' | 'done' | 'failed'; started: number; command: string; has_answer: boolean; log: string }

const FIELDS: [name: string, label: string, placeholder: string][] = [['data', 'data set', 'synthetic:grammar'], ['params', 'parameters', 'as many as fit'], ['time', 'time', '4m'], ['families', 'families', 'those for the data']];

// The command as somebody would type it: without the folder that the server chose.
const typed = (fit: Fit) => fit.command.replace(/ --out=\S+/, '');

/** The panel of fits; `follow` is told whose runs are to be shown. */
export function fitsPanel(follow: (fit: string) => void): { element: HTMLElement; load(one?: string): void; dispose(): void } {
    const list = h('div', { class: 'fit-list' });
    const note = h('p', { class: 'problem', role: 'alert', hidden: true });
    const form = h('form', { class: 'rank-form' }, ...FIELDS.map(([name, label, placeholder]) => h('label', { class: 'field' }, h('span', {}, label), h('input', { name, placeholder, autocomplete: 'off', spellcheck: 'false' }))), h('button', { class: 'go' }, 'Start a fit'));
    const element = h('details', { class: 'panel-card fits' }, h('summary', {}, h('h3', {}, 'Fits'), h('span', {}, 'which network for a data set of this machine? Started, followed and stopped here')), h('p', {}, 'Which network for this data? plimsoll fit races networks of equal cost on it. Data are sets of this machine by their names; files of your own go to plimsoll fit in a terminal.'), form, note, list);
    let timer = 0;
    let last = '';
    let only = '';

    const say = (problem: unknown) => {
        note.textContent = problem instanceof ApiError ? problem.text : String(problem);
        note.hidden = false;
    };
    const act = async (path: string) => {
        try {
            note.hidden = true;
            const fit = await sendOnce<Fit>(path);
            announce(`The fit is ${fit.state}`);
            if (path.startsWith('fits?') || path === 'fits') follow(fit.id);
        } catch (problem) {
            say(problem);
        }
        load();
    };
    form.addEventListener('submit', (event) => {
        event.preventDefault();
        const wishes = Object.fromEntries(FIELDS.map(([name]) => [name, (form.elements.namedItem(name) as HTMLInputElement).value.trim()]));
        const words = query(wishes);
        void act(words ? `fits?${words}` : 'fits');
    });

    const said = (fit: Fit) => {
        const log = h('pre', { class: 'log', tabindex: 0, 'aria-label': 'What the fit says' }, fit.log.trimEnd().split('\n').slice(-14).join('\n'));
        return fit.state === 'running' || fit.state === 'stopping' || fit.id === only ? log : h('details', { class: 'more' }, h('summary', {}, 'What it says'), log);
    };
    const row = (fit: Fit) => h('article', { class: `fit ${fit.state}` },
        h('p', {}, h('b', {}, fit.state), ` since ${new Date(fit.started * 1000).toLocaleString()}`),
        h('p', {}, h('code', { class: 'command' }, typed(fit))),
        h('p', { class: 'actions' }, h('a', { class: 'button', href: hashOf('runs', { fit: fit.id }) }, 'Its runs'),
            fit.has_answer && h('a', { class: 'button', href: `api/v1/fits/${fit.id}/report`, target: '_blank', rel: 'noopener' }, fit.state === 'done' ? 'The answer' : 'The answer so far'),
            fit.state === 'running' && h('button', { type: 'button', onClick: () => void act(`fits/${fit.id}/stop`) }, 'Stop'),
            (fit.state === 'stopped' || fit.state === 'failed') && h('button', { type: 'button', onClick: () => void act(`fits/${fit.id}/resume`) }, 'Resume')),
        fit.log && said(fit));

    const load = (one = only) => {
        only = one;
        clearTimeout(timer);
        getOnce<Fit[]>('fits').then((fits) => {
            const shown = only ? fits.filter(({ id }) => id === only) : fits;
            const now = JSON.stringify([only, shown]);
            if (now !== last) clear(list, ...shown.map(row));
            last = now;
            if (only) element.open = true;
            if (fits.some(({ state }) => state === 'running' || state === 'stopping')) {
                element.open = true;
                timer = window.setTimeout(() => load(), 2000);
            }
        }, say);
    };
    return { element, load, dispose: () => clearTimeout(timer) };
}

// The experiments whose rows are kept: what was asked, what was found, and the page with the figures.

import { ApiError, get } from '../api';
import { announce, clear, h } from '../dom';

interface Experiment { id: string; source: string; title: string; question: string }
interface Found { outcome: string; sentence: string }
interface Report { findings: Found[]; figures: { title: string; notes: string[] }[] }

// The page is drawn when it is asked for, about a second; without rows the engine says what makes them.
function answerOf(experiment: Experiment, report: Report): Node[] {
    return [h('p', {}, experiment.question), h('ul', { class: 'found' }, ...report.findings.map(({ sentence }) => h('li', {}, sentence))),
        h('p', { class: 'actions' }, h('a', { class: 'button', href: `api/v1/experiments/${experiment.id}/page`, target: '_blank', rel: 'noopener' }, report.figures.length === 1 ? 'Its figure' : `Its ${report.figures.length} figures`), h('code', { class: 'command' }, `plimsoll report ${experiment.id} --out report.html`))];
}

function row(experiment: Experiment): HTMLElement {
    const place = h('div', { class: 'report' });
    const element = h('details', { class: 'more' }, h('summary', {}, h('b', {}, experiment.title), h('span', { class: 'faint' }, ` ${experiment.source}, ${experiment.id}`)), place);
    element.addEventListener('toggle', () => {
        if (!element.open || place.hasChildNodes()) return;
        clear(place, h('p', { class: 'faint' }, 'Reading its rows.'));
        get<Report>(`experiments/${experiment.id}`).then((report) => {
            clear(place, ...answerOf(experiment, report));
            announce(`${experiment.title}: ${report.findings.map(({ outcome }) => outcome).join(', ')}`);
        }, (problem: Error) => clear(place, h('p', {}, experiment.question), h('p', { class: 'problem', role: 'alert' }, problem instanceof ApiError ? problem.text : problem.message)));
    });
    return element;
}

/** A panel that asks for the list when it is opened. */
export function reportsPanel(): HTMLElement {
    const list = h('div');
    const element = h('details', { class: 'panel-card fits' }, h('summary', {}, h('h3', {}, 'Reports'), h('span', {}, 'experiments of the papers and ours: predictions, findings, figures')), list);
    element.addEventListener('toggle', () => {
        if (!element.open || list.hasChildNodes()) return;
        get<{ rows: Experiment[] }>('experiments').then(({ rows }) => clear(list, ...rows.map(row)), (problem: Error) => clear(list, h('p', { class: 'problem', role: 'alert' }, problem instanceof ApiError ? problem.text : problem.message)));
    });
    return element;
}

// Up to four models side by side.

import { ApiError, type Audit, get, hasServer, type MapData, query } from '../api';
import { card, markdown } from '../card';
import { announce, clear, download, h } from '../dom';
import { go } from '../router';
import type { View } from '../main';
import { upload, uploads } from '../uploads';

const MOST = 4;

export function auditView(data: MapData): View {
    const cards = h('div', { class: 'cards' });
    const bar = h('div', { class: 'audit-bar' });
    const element = h('section', { class: 'page audit-view' }, h('div', { class: 'page-title' }, h('h1', { id: 'main-start', tabindex: -1 }, 'Is this model bottlenecked, and where?'),
        h('p', { class: 'lead' }, 'Up to four models side by side, from the zoo or from their files. Of weights only the header is sent, to your own machine.')), bar, cards);
    let turn = 0;

    const add = (models: string[], id: string) => go('audit', { models: [...models.filter((one) => one !== id), id].slice(-MOST).join(',') });

    const controls = (models: string[], audits: Audit[]) => {
        const select = h('select', { 'aria-label': 'Add a model of the zoo' }, h('option', { value: '' }, 'Add a model of the zoo'), ...[...data.models].sort((a, b) => a.name.localeCompare(b.name)).map(({ id, name }) => h('option', { value: id }, name)));
        select.addEventListener('change', () => { if (select.value) add(models, select.value); });
        const file = h('input', { type: 'file', accept: '.json,.safetensors,.gguf', class: 'hidden-text', id: 'audit-file', multiple: true });
        file.addEventListener('change', () => document.dispatchEvent(new CustomEvent('plimsoll-file', { detail: [...(file.files ?? [])] })));
        clear(bar, select, hasServer() && h('label', { class: 'button', for: 'audit-file' }, 'Open a file'), hasServer() && file,
            audits.length > 0 && h('button', { type: 'button', onClick: () => copy(audits) }, 'Copy as Markdown'),
            audits.length > 0 && h('button', { type: 'button', onClick: () => download('audit.json', JSON.stringify(audits, null, 2), 'application/json') }, 'JSON'),
            audits.length > 0 && h('code', { class: 'command' }, `plimsoll audit ${models.filter((id) => !upload(id)).join(' ') || 'config.json'}`));
    };

    const copy = async (audits: Audit[]) => {
        const text = audits.map(markdown).join('\n');
        try {
            await navigator.clipboard.writeText(text);
            announce('Copied');
        } catch {
            download('audit.md', text);
        }
    };

    const show = async (parameters: URLSearchParams) => {
        const mine = ++turn;
        const file = parameters.get('file');
        const models = (parameters.get('models') ?? '').split(',').filter(Boolean);
        const wanted = [...models, ...(file && !models.includes(file) ? [file] : [])].slice(-MOST);
        const answers = await Promise.all(wanted.map((id) => Promise.resolve(upload(id) ?? get<Audit>(`audit?${query({ model: id })}`)).catch((problem: Error) => problem)));
        if (mine !== turn) return;
        const audits = answers.filter((answer): answer is Audit => !(answer instanceof Error));
        controls(wanted, audits);
        cards.dataset.count = String(wanted.length);
        clear(cards, ...answers.map((answer, i) => {
            const close = h('button', { type: 'button', class: 'close', 'aria-label': 'Remove this model', onClick: () => go('audit', { models: wanted.filter((one) => one !== wanted[i]).join(',') }) }, '×');
            return h('div', { class: 'card-place' }, close, answer instanceof Error ? h('article', { class: 'card' }, h('h2', {}, wanted[i]), h('p', { class: 'problem', role: 'alert' }, answer instanceof ApiError ? answer.text : answer.message)) : card(answer, data.load_line, { panel: false }));
        }));
        if (wanted.length === 0) clear(cards, empty());
    };

    // Three that teach: what each shows, before it is opened.
    const empty = () => {
        const examples = [['t5-11b', 'T5-11B', 'attention 16 times wider than its stream'], ['albert-xxlarge-v2', 'ALBERT-xxlarge', 'everything enters through rank 128'], ['gpt-3-175b', 'GPT-3 175B', 'nothing severe']];
        return h('div', { class: 'empty' },
            hasServer() && h('label', { class: 'drop-zone', for: 'audit-file' }, h('b', {}, 'Drop a config.json, .safetensors or .gguf anywhere'), h('span', {}, 'or open one, or paste the text of a config. Of weights only the header is read.')),
            h('h2', {}, hasServer() ? 'Or begin with a published model' : 'Begin with a published model'),
            h('div', { class: 'examples' }, ...examples.map(([id, name, words]) => h('a', { class: 'panel-card', href: `#audit?models=${id}` }, h('b', {}, name), h('span', {}, words))),
                h('a', { class: 'panel-card', href: `#audit?models=${examples.map(([id]) => id).join(',')}` }, h('b', {}, 'All three'), h('span', {}, 'side by side'))),
            ...uploads().map(({ name }) => h('p', {}, h('a', { href: `#audit?models=${encodeURIComponent(name)}` }, name))));
    };

    return { element, show };
}

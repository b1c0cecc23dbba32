// The search of the header, and files dropped or pasted anywhere.

import { ApiError, type Audit, auditFile, hasServer, type MapData } from './api';
import { announce, clear, h, s } from './dom';
import { address, go } from './router';
import { keepUpload } from './uploads';

// Letters and digits alone, as the engine compares names.
const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The models whose name contains all the words, those that begin with the text first. */
export function matches(data: MapData, text: string): MapData['models'] {
    const words = text.toLowerCase().split(/\s+/).map(plain).filter(Boolean);
    if (words.length === 0) return [];
    const found = data.models.filter((model) => words.every((word) => plain(model.name).includes(word) || plain(model.family).includes(word)));
    const starts = (name: string) => (plain(name).startsWith(words[0]) ? 0 : 1);
    return found.sort((a, b) => starts(a.name) - starts(b.name) || a.name.length - b.name.length).slice(0, 8);
}

/** The name that takes the fewest changes. */
export function nearest(data: MapData, text: string): string {
    const wanted = plain(text);
    const distance = (name: string) => {
        let row = Array.from({ length: name.length + 1 }, (_, i) => i);
        for (let i = 0; i < wanted.length; i++) {
            const next = [i + 1];
            for (let j = 0; j < name.length; j++) next.push(Math.min(row[j] + (wanted[i] === name[j] ? 0 : 1), row[j + 1] + 1, next[j] + 1));
            row = next;
        }
        return row[name.length];
    };
    return [...data.models].sort((a, b) => distance(plain(a.name)) - distance(plain(b.name)))[0].name;
}

function open(id: string) {
    const { view, parameters } = address();
    if (view === 'audit') {
        const models = (parameters.get('models') ?? '').split(',').filter(Boolean);
        go('audit', { models: [...models.filter((one) => one !== id), id].slice(-4).join(',') });
    } else go('map', { ...Object.fromEntries(parameters), trial: null, model: id });
}

export function searchBox(data: () => MapData | null): HTMLElement {
    const list = h('ul', { id: 'search-list', role: 'listbox', hidden: true, 'aria-label': 'Models' });
    const input = h('input', { type: 'text', role: 'combobox', 'aria-expanded': 'false', 'aria-controls': 'search-list', 'aria-autocomplete': 'list', placeholder: hasServer() ? 'Find a model, or drop a config.json' : 'Find a model', 'aria-label': 'Find a model', autocomplete: 'off', spellcheck: 'false' });
    let at = -1;
    const close = () => { list.hidden = true; input.setAttribute('aria-expanded', 'false'); input.removeAttribute('aria-activedescendant'); at = -1; };
    const pick = (id: string) => { close(); input.value = ''; input.blur(); box.classList.remove('open'); open(id); };
    const update = () => {
        const known = data();
        if (!known || input.value.trim() === '') return close();
        const found = matches(known, input.value);
        at = found.length > 0 ? 0 : -1;
        clear(list, ...found.map((model, i) => h('li', { role: 'option', id: `search-${i}`, 'aria-selected': String(i === 0), onPointerdown: (event: Event) => { event.preventDefault(); pick(model.id); } }, h('b', {}, model.name), h('span', {}, model.facts.split(', ').slice(0, 2).join(', ')))),
            found.length === 0 && h('li', { class: 'none', role: 'option', 'aria-selected': 'false' }, `No model named ${input.value}. Nearest: ${nearest(known, input.value)}.`));
        list.hidden = false;
        input.setAttribute('aria-expanded', 'true');
        if (at >= 0) input.setAttribute('aria-activedescendant', `search-${at}`);
    };
    const step = (by: number) => {
        const items = [...list.querySelectorAll('li:not(.none)')];
        if (items.length === 0) return;
        at = (at + by + items.length) % items.length;
        items.forEach((item, i) => item.setAttribute('aria-selected', String(i === at)));
        input.setAttribute('aria-activedescendant', `search-${at}`);
    };
    input.addEventListener('input', update);
    input.addEventListener('blur', close);
    input.addEventListener('keydown', (event) => {
        const known = data();
        if (event.key === 'ArrowDown' || event.key === 'ArrowUp') { event.preventDefault(); step(event.key === 'ArrowDown' ? 1 : -1); }
        if (event.key === 'Escape') { input.value = ''; close(); input.blur(); box.classList.remove('open'); }
        if (event.key === 'Enter' && known && at >= 0) pick(matches(known, input.value)[at].id);
    });
    const button = h('button', { type: 'button', class: 'search-button', 'aria-label': 'Search', onClick: () => { box.classList.toggle('open'); input.focus(); } },
        s('svg', { viewBox: '0 0 20 20', width: 20, height: 20, 'aria-hidden': 'true' }, s('circle', { cx: 8.5, cy: 8.5, r: 5.5, fill: 'none', stroke: 'currentColor', 'stroke-width': 2 }), s('path', { d: 'M12.500 12.500 18 18', stroke: 'currentColor', 'stroke-width': 2 })));
    const box = h('div', { class: 'search', role: 'search' }, button, h('div', { class: 'search-field' }, input, h('kbd', { 'aria-hidden': 'true' }, '/')), list);
    document.addEventListener('keydown', (event) => {
        const target = event.target as HTMLElement;
        if (event.key !== '/' || event.ctrlKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return;
        event.preventDefault();
        box.classList.add('open');
        input.focus();
    });
    return box;
}

/** Files dropped or pasted anywhere on the page are audited. */
export function dropTarget(done: (audit: Audit) => void) {
    const veil = h('div', { class: 'veil', hidden: true }, h('p', {}, 'Drop to audit: a config.json, .safetensors or .gguf'));
    const notice = h('div', { class: 'toast', hidden: true, role: 'alert' });
    document.body.append(veil, notice);
    let timer = 0;
    const say = (text: string) => {
        clear(notice, h('span', {}, text), h('button', { type: 'button', 'aria-label': 'Close', onClick: () => { notice.hidden = true; } }, '×'));
        notice.hidden = false;
        clearTimeout(timer);
        timer = window.setTimeout(() => { notice.hidden = true; }, 12_000);
    };
    const take = async (files: Iterable<File>) => {
        for (const file of [...files].slice(0, 4)) {
            try {
                done(keepUpload(await auditFile(file), file.name));
                notice.hidden = true;
            } catch (problem) {
                const text = problem instanceof ApiError ? problem.text : (problem as Error).message;
                say(text);
                announce(text);
            }
        }
    };
    if (!hasServer()) return;
    document.addEventListener('dragover', (event) => { event.preventDefault(); veil.hidden = false; });
    document.addEventListener('dragleave', (event) => { if (!event.relatedTarget) veil.hidden = true; });
    document.addEventListener('drop', (event) => {
        event.preventDefault();
        veil.hidden = true;
        if (event.dataTransfer) void take(event.dataTransfer.files);
    });
    document.addEventListener('paste', (event) => {
        const target = event.target as HTMLElement;
        if (/^(INPUT|TEXTAREA)$/.test(target.tagName)) return;
        const text = event.clipboardData?.getData('text/plain') ?? '';
        if (text.trim().startsWith('{')) void take([new File([text], 'config.json')]);
    });
    document.addEventListener('plimsoll-file', (event) => void take((event as CustomEvent<File[]>).detail));
}

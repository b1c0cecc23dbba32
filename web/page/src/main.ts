import './style.css';

import { ApiError, type MapData, connection, get, hasServer } from './api';
import { h, clear, mark } from './dom';
import { address, go } from './router';
import { searchBox, dropTarget } from './search';
import { currentTheme, setTheme, startTheme, type Theme } from './theme';
import { MapView } from './map/view';
import { auditView } from './views/audit';
import { adviseView } from './views/advise';
import { rankView } from './views/rank';
import { runsView } from './views/runs';

export interface View { element: HTMLElement; show?(parameters: URLSearchParams): void; dispose?(): void }

interface Entry { title: string; needsServer: boolean; make(data: MapData): View }

const VIEWS: Record<string, Entry> = {
    map: { title: 'Map', needsServer: false, make: (data) => new MapView(data) },
    audit: { title: 'Audit', needsServer: false, make: auditView },
    advise: { title: 'Advise', needsServer: true, make: adviseView },
    rank: { title: 'Rank', needsServer: true, make: rankView },
    runs: { title: 'Runs', needsServer: true, make: runsView },
};

let data: MapData | null = null;
let shown: { name: string; view: View } | null = null;
const place = h('main', { class: 'view' });
const strip = h('div', { class: 'strip', hidden: true, role: 'status' }, h('span', {}, 'Not connected. Showing the last answer.'), h('button', { type: 'button', onClick: () => location.reload() }, 'Try again'));
const navigation = h('nav', { 'aria-label': 'Views' });

connection.changed = (connected) => { strip.hidden = connected || !data; };

function themeMenu(): HTMLElement {
    const select = h('select', { 'aria-label': 'Theme', class: 'theme' }, ...(['system', 'light', 'dark'] as Theme[]).map((theme) => h('option', { value: theme }, theme)));
    select.value = currentTheme();
    select.addEventListener('change', () => setTheme(select.value as Theme));
    return select;
}

function header(): HTMLElement {
    const links = Object.entries(VIEWS).filter(([, entry]) => hasServer() || !entry.needsServer)
        .map(([name, entry]) => h('a', { href: `#${name}`, 'data-view': name }, entry.title));
    navigation.append(...links);
    const menu = h('details', { class: 'menu' }, h('summary', { 'aria-label': 'Menu' }, h('span', { class: 'bars', 'aria-hidden': 'true' })));
    menu.addEventListener('click', (event) => { if ((event.target as Element).closest('a')) menu.open = false; });
    menu.append(h('div', { class: 'menu-list' }, ...links.map((link) => link.cloneNode(true))));
    return h('header', { class: 'top' }, menu, h('a', { class: 'logo', href: '#map', 'aria-label': 'Plimsoll, the map' }, mark(34), h('span', {}, 'Plimsoll')), navigation, h('div', { class: 'space' }), themeMenu(), searchBox(() => data));
}

function show() {
    if (!data) return;
    const { view: wanted, parameters } = address();
    const name = VIEWS[wanted] && (hasServer() || !VIEWS[wanted].needsServer) ? wanted : 'map';
    if (shown?.name !== name) {
        shown?.view.dispose?.();
        shown = { name, view: VIEWS[name].make(data) };
        clear(place, shown.view.element);
        place.dataset.view = name;
        document.title = name === 'map' ? 'Plimsoll' : `${VIEWS[name].title}, Plimsoll`;
        for (const link of document.querySelectorAll<HTMLElement>('[data-view]:not(main)')) {
            if (link.dataset.view === name) link.setAttribute('aria-current', 'page');
            else link.removeAttribute('aria-current');
        }
    }
    shown.view.show?.(parameters);
}

startTheme();
const app = document.querySelector('#app')!;
clear(app, header(), strip, place);
document.querySelector('.skip')?.addEventListener('click', (event) => {
    event.preventDefault();
    document.querySelector<HTMLElement>('#main-start')?.focus();
});
dropTarget((audit) => go('audit', { file: audit.name }));
window.addEventListener('hashchange', show);

// Every view needs the models; a server that has just been started still judges them.
function begin() {
    clear(place, h('section', { class: 'waits', 'aria-busy': 'true' }, h('h1', {}, 'How deep, for how wide?'), h('p', { class: 'faint' }, 'The published models are being judged.')));
    get<MapData>('map').then((answer) => {
        data = answer;
        clear(place);
        show();
    }, (problem: Error) => clear(place, h('section', { class: 'waits' }, h('h1', {}, 'The page has no data'), h('p', { class: 'problem', role: 'alert' }, problem instanceof ApiError ? problem.text : problem.message), h('button', { type: 'button', onClick: begin }, 'Try again'))));
}
begin();

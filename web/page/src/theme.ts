// The colours of the canvas, read from the style sheet, and the choice of theme.

export const NAMES = ['paper', 'surface', 'sunken', 'rule', 'ink', 'ink-2', 'ink-3', 'accent', 'warn', 'warn-fill', 'good', 'line', 'dot', 'dot-fill', 'iso', 'contour', 'contour-label', 'field-low', 'field-high', 'halo', 'land', 'land-edge', 'land-ink'] as const;
export type Colours = Record<(typeof NAMES)[number], string>;

export function colours(): Colours {
    const style = getComputedStyle(document.documentElement);
    return Object.fromEntries(NAMES.map((name) => [name, style.getPropertyValue(`--${name}`).trim()])) as Colours;
}

/** '#rrggbb' as three numbers. */
export function channels(colour: string): [number, number, number] {
    return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)) as [number, number, number];
}

export type Theme = 'system' | 'light' | 'dark';

function stored(): Theme {
    try {
        const value = localStorage.getItem('plimsoll-theme');
        return value === 'light' || value === 'dark' ? value : 'system';
    } catch {
        return 'system';
    }
}

const listeners = new Set<() => void>();
let theme: Theme = 'system';

function apply() {
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    for (const tell of listeners) tell();
}

export const currentTheme = () => theme;

export function setTheme(chosen: Theme) {
    theme = chosen;
    try {
        if (chosen === 'system') localStorage.removeItem('plimsoll-theme');
        else localStorage.setItem('plimsoll-theme', chosen);
    } catch { /* a browser that keeps nothing still shows the choice */ }
    apply();
}

/** Calls back when the colours change; the result ends that. */
export function onTheme(tell: () => void): () => void {
    listeners.add(tell);
    return () => listeners.delete(tell);
}

/** The remembered choice, and the system's changes from now on. */
export function startTheme() {
    theme = stored();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply);
    apply();
}

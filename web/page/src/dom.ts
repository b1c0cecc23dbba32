// Elements without a framework.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: never) => void)>;

function fill(element: Element, attributes: Attributes, children: Child[]) {
    for (const [name, value] of Object.entries(attributes)) {
        if (value === null || value === undefined || value === false) continue;
        if (typeof value === 'function') element.addEventListener(name.slice(2).toLowerCase(), value as EventListener);
        else element.setAttribute(name, value === true ? '' : String(value));
    }
    element.append(...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false));
}

/** h('a', { href: '#map', onClick: go }, 'Map') */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    fill(element, attributes, children);
    return element;
}

/** The same for SVG. */
export function s<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[K] {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    fill(element, attributes, children);
    return element;
}

/** The mark of the product: a ring with a bar through it. */
export function mark(size = 32, label = ''): SVGSVGElement {
    return s('svg', { class: 'mark', viewBox: '0 0 32 20', width: size, height: (size * 20) / 32, 'aria-hidden': label ? null : 'true', role: label ? 'img' : null, 'aria-label': label || null },
        s('circle', { cx: 16, cy: 10, r: 7, fill: 'none', stroke: 'currentColor', 'stroke-width': 2.6 }),
        s('path', { d: 'M1 10h30', stroke: 'currentColor', 'stroke-width': 2.6 }));
}

let live: HTMLElement | null = null;

/** Says it to those who listen instead of looking. */
export function announce(text: string) {
    if (!live) {
        live = h('div', { class: 'hidden-text', role: 'status', 'aria-live': 'polite' });
        document.body.append(live);
    }
    live.textContent = text;
}

export function clear(element: Element, ...children: Child[]) {
    element.replaceChildren(...children.filter((child): child is Node | string => Boolean(child)));
}

/** Offers text as a file. */
export function download(name: string, text: string, type = 'text/plain') {
    const link = h('a', { href: URL.createObjectURL(new Blob([text], { type })), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

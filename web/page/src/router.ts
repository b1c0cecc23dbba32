// Addresses: everything that can be shared is behind the #, so that a page on disk has the same ones.

export interface Address { view: string; parameters: URLSearchParams }

export function addressOf(hash: string): Address {
    const [view, query = ''] = hash.replace(/^#\/?/, '').split('?');
    return { view: view || 'map', parameters: new URLSearchParams(query) };
}

export function hashOf(view: string, parameters: Record<string, string | number | null | undefined>): string {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) if (value !== null && value !== undefined && value !== '') query.set(name, String(value));
    const text = query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%3D', '=');
    return `#${view}${text ? `?${text}` : ''}`;
}

export const address = () => addressOf(location.hash);

/** A step of history; with `replace` the present one changes instead. */
export function go(view: string, parameters: Record<string, string | number | null | undefined>, replace = false) {
    const hash = hashOf(view, parameters);
    if (hash === location.hash) return;
    if (replace) {
        history.replaceState(null, '', hash);
        return;
    }
    location.hash = hash;
}

// What the user dropped, for as long as the page is open; nothing of it has an address elsewhere.

import type { Audit } from './api';

const audits = new Map<string, Audit>();

export function keepUpload(audit: Audit, fileName: string): Audit {
    const named = { ...audit, name: audit.name === 'upload' || audit.name === 'model' ? fileName : audit.name };
    audits.set(named.name, named);
    return named;
}

export const upload = (name: string) => audits.get(name);
export const uploads = () => [...audits.values()];

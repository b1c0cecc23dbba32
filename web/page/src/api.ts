// The server's answers; without a server (plimsoll site) the same from the scripts beside the page.

import type { LoadLine } from './line';

export interface MapFinding { id: string; severity: 'severe' | 'notice'; title: string; shown: string; reading: string }

export interface MapModel {
    id: string; name: string; family: string; kind: string; modality: string; year: number;
    layers: number; decoder_layers: number | null; depth: number; width: number;
    attention: number | null; input_rank: number | null; vocab: number | null; context: number | null;
    parameters: number | null; facts: string; findings: MapFinding[];
}

export interface MapData {
    version: string;
    frame: { width: [number, number]; depth: [number, number] };
    load_line: LoadLine;
    levine_law: { offset: number; slope: number };
    kaplan: { parameters: number; aspect: number }[];
    models: MapModel[];
}

export interface Field { context: number; across: number; down: number; log10: number[]; knee: number[] }

export interface Finding {
    id: string; severity: 'severe' | 'notice' | 'ok' | 'info'; title: string; value: number | null; line: number | null;
    shown: string; reading: string; text: string; remedy: string | null;
    source: { claim: string; citation: string; basis: string };
}

export interface Audit {
    name: string; family: string; kind: string; source: string;
    depth: number | null; decoder_depth: number | null; width: number | null; heads: number | null; head_dim: number | null;
    vocab: number | null; context: number | null; parameters: number | null;
    attention_over_width: number | null; input_rank_over_width: number | null;
    verdict: string; findings: Finding[]; not_analysed: { part: string; reason: string }[]; assumed?: { key: string; value: string; reason: string }[];
    zoo: { year: number; modality: string; source: string; check: string; notes: string | null } | null;
}

export interface Shape {
    label: string; depth: number; width: number; heads: number; head_dim: number; parameters: number;
    expected_loss_percent: number; block: string; embedding_rank: number | null; source?: string; note?: string;
    forward_flops: number; kv_bytes_per_token: number; log3_capacity: number; knee: number; spec: string | null;
}

export interface Advice {
    request: { params: number; vocab: number | null; patch?: number[]; context: number | null; assumed: string[] };
    answer: Shape; why: string[]; warnings: string[]; alternatives: Shape[]; rivals: Shape[]; rival_notes: string[];
    valley: { best: number; low: number; high: number; cost_percent: number; measured: boolean } | null;
    training: { tokens: number; flops: number; gpu: string; gpu_hours: number; utilisation: number } | null;
    reasons: { rule: string; name: string; value: string; line: string; reading: string; source: string; standing: string; severity: 'passed' | 'note' | 'act' }[];
    curve: { depth: number; width: number; log3_capacity: number; share: number; expected_loss_percent: number }[];
}

/** What went wrong, in the engine's own words. */
export class ApiError extends Error {
    constructor(readonly status: number, readonly where: string, message: string) {
        super(message);
    }
    get text() { return this.where ? `${this.where}: ${this.message}` : this.message; }
}

interface SiteData { answers: Record<string, unknown>; budgets: string[]; contexts: number[]; vocab: number }
declare global { interface Window { PLIMSOLL_SITE?: SiteData } }

/** Whether there is a server; plimsoll site writes pages without one. */
export const hasServer = () => !window.PLIMSOLL_SITE;

async function refusalOf(response: Response): Promise<ApiError> {
    const body = await response.json().catch(() => null) as { error?: { where: string; message: string } } | null;
    return new ApiError(response.status, body?.error?.where ?? '', body?.error?.message ?? `the server answered ${response.status}`);
}

const kept = new Map<string, Promise<unknown>>();

/** Called when the server cannot be reached, and when it can again. */
export const connection = { changed: (_connected: boolean) => {} };

async function asked(address: string, init?: RequestInit): Promise<Response> {
    try {
        const response = await fetch(address, init);
        connection.changed(true);
        return response;
    } catch (problem) {
        if ((problem as Error).name === 'AbortError') throw problem;
        connection.changed(false);
        throw new ApiError(0, 'server', 'is not there. Is plimsoll serve still running?');
    }
}

// A page on disk may not fetch, but it may load scripts: one for each answer, named as plimsoll/server/site.cpp names them.
function scriptAnswer(site: SiteData, path: string): Promise<unknown> {
    if (path in site.answers) return Promise.resolve(site.answers[path]);
    const none = () => new ApiError(0, '', 'has no answer in these files; plimsoll serve has one');
    return new Promise((resolve, reject) => {
        const script = document.createElement('script');
        script.src = `data/${path.replace(/[^a-zA-Z0-9.]+/g, '-')}.js`;
        script.onload = () => (path in site.answers ? resolve(site.answers[path]) : reject(none()));
        script.onerror = () => reject(none());
        document.head.append(script);
    });
}

/** Without a server: the budget nearest to one that has an answer, and whether the other wishes have. */
export function siteBudget(params: number): number {
    const budgets = (window.PLIMSOLL_SITE?.budgets ?? []).map(Number);
    return budgets.reduce((best, one) => (Math.abs(Math.log(one / params)) < Math.abs(Math.log(best / params)) ? one : best), budgets[0] ?? params);
}
export const siteContexts = () => window.PLIMSOLL_SITE?.contexts ?? [];
export const siteVocab = () => window.PLIMSOLL_SITE?.vocab ?? 0;

async function fetched<T>(path: string, signal?: AbortSignal): Promise<T> {
    const site = window.PLIMSOLL_SITE;
    if (site) return await scriptAnswer(site, path) as T;
    const response = await asked(`api/v1/${path}`, { signal });
    if (!response.ok) throw await refusalOf(response);
    return await response.json() as T;
}

/** GET below /api/v1, each address once; what failed is asked again. */
export function get<T>(path: string): Promise<T> {
    let answer = kept.get(path);
    if (!answer) {
        answer = fetched<T>(path);
        kept.set(path, answer);
        answer.catch(() => kept.delete(path));
    }
    return answer as Promise<T>;
}

/** The same, that can be given up and is not remembered. */
export const getOnce = <T>(path: string, signal?: AbortSignal) => fetched<T>(path, signal);

/** POST without a body. */
export async function sendOnce<T>(path: string): Promise<T> {
    const response = await asked(`api/v1/${path}`, { method: 'POST' });
    if (!response.ok) throw await refusalOf(response);
    return await response.json() as T;
}

export function query(parameters: Record<string, string | number | boolean | null | undefined>): string {
    const pairs = Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false);
    return pairs.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&');
}

const HEADER_BYTES = { safetensors: 16_000_000, gguf: 30_000_000 };

// Of weights only the header goes over the wire: safetensors says how long it is, gguf gets room for a vocabulary.
async function headerOf(file: File, kind: 'safetensors' | 'gguf'): Promise<Blob> {
    if (kind === 'gguf') return file.slice(0, HEADER_BYTES.gguf);
    const size = new DataView(await file.slice(0, 8).arrayBuffer());
    const length = size.byteLength === 8 ? Number(size.getBigUint64(0, true)) : 0;
    return file.slice(0, Math.min(8 + length, HEADER_BYTES.safetensors));
}

/** Audits a file of the user. */
export async function auditFile(file: File): Promise<Audit> {
    if (!hasServer()) throw new ApiError(0, file.name, 'needs plimsoll serve: this page was written without a server');
    const name = file.name.toLowerCase();
    const kind = name.endsWith('.safetensors') ? 'safetensors' : name.endsWith('.gguf') ? 'gguf' : 'config';
    const body = kind === 'config' ? file.slice(0, 4_000_000) : await headerOf(file, kind);
    const response = await asked(`api/v1/audit?${query({ kind, size: kind === 'config' ? null : file.size })}`, { method: 'POST', body });
    if (!response.ok) throw await refusalOf(response);
    return await response.json() as Audit;
}

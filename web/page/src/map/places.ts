// The models as places of the chart: those of one width and depth share a point.

import type { MapModel } from '../api';

export interface Place { depth: number; width: number; models: MapModel[] }

export interface Filters { kind: string; modality: string; family: string; from: number | null; to: number | null; least: number | null; most: number | null }
export const NO_FILTERS: Filters = { kind: '', modality: '', family: '', from: null, to: null, least: null, most: null };

/** Whether something other than its depth asks for action. */
export const isBottlenecked = (model: MapModel) => model.findings.some(({ id, severity }) => severity === 'severe' && !id.startsWith('depth'));

export function passes(model: MapModel, filters: Filters): boolean {
    const { kind, modality, family, from, to, least, most } = filters;
    return (!kind || model.kind === kind) && (!modality || model.modality === modality) && (!family || model.family === family)
        && (from === null || model.year >= from) && (to === null || model.year <= to)
        && (least === null || (model.parameters ?? 0) >= least) && (most === null || (model.parameters ?? Infinity) <= most);
}

export function placesOf(models: MapModel[]): Place[] {
    const places = new Map<string, Place>();
    for (const model of models) {
        if (!model.depth || !model.width) continue;
        const key = `${model.depth}x${model.width}`;
        const place = places.get(key);
        if (place) place.models.push(model);
        else places.set(key, { depth: model.depth, width: model.width, models: [model] });
    }
    return [...places.values()].sort((a, b) => b.models.length - a.models.length);
}

export const radiusOf = (place: Place) => 3.6 + 2 * Math.sqrt(place.models.length - 1);

// Who is named first where not everybody can be.
const KNOWN = ['gpt-3-175b', 'llama-3.1-405b', 'llama-3-70b', 'llama-3-8b', 'gpt2', 'gpt2-xl', 'albert-xxlarge-v2', 'deepseek-v3', 'qwen3-235b-a22b', 'smollm2-135m', 'esm-2-8m', 'vit-ti-16', 'whisper-tiny', 'distilbert', 'esm-2-15b', 'bloom-176b', 'gmlp-s-16', 'mixer-s-16', 'byt5-base', 'vit-h-14', 't5-small', 'gemma-2b', 'gpt-neox-20b', 't5-11b', 'mistral-7b-v0.1', 'bert-base-uncased', 'vit-b-16', 'gpt-oss-120b', 'mamba-130m', 'bert-large-uncased', 'falcon-180b', 'gemma-2-27b', 'qwen3-0.6b', 'phi-2', 'mixer-h-14', 'mobilebert', 'sparse-transformer-cifar10', 'ctrl'];

/** Smaller comes first. */
export function importance(model: MapModel): number {
    const known = KNOWN.indexOf(model.id);
    return known >= 0 ? known : KNOWN.length + (2030 - model.year);
}

// Longer names are for files, not for charts.
const tidy = (name: string) => name.replace(/-(hf|uncased|it)$/i, '').replace(/^TinyLlama/, 'TinyLlama');

/** At most so many names, the best known first. */
export function labelOf(place: Place, most = 3): string {
    const sorted = [...place.models].sort((a, b) => importance(a) - importance(b));
    return sorted.slice(0, most).map(({ name }) => tidy(name)).join(', ');
}

// The map: what it shows, what it does when it is touched.

import { type Advice, ApiError, type Audit, type Field, get, getOnce, hasServer, type MapData, type MapModel, query, siteBudget, siteContexts } from '../api';
import { card } from '../card';
import { advicePanel } from '../advice-panel';
import { announce, clear, h } from '../dom';
import { grouped, human, parseCount, shape, short, significant } from '../format';
import { budgetAt, budgetWidth, lineDepth, nearShape } from '../line';
import { go } from '../router';
import { colours, onTheme } from '../theme';
import * as curves from './curves';
import { CHART_FACES, drawBase, drawPoints, labelFont, type Lines, type Scene } from './draw';
import { valueAt } from './field';
import { frameOf } from './frame';
import { filterControls, howToRead, lineControls, tipFor, tableOf } from './furniture';
import { type Box, lineTouches, overlaps, placeLabels, type Spot, type Wish } from './labels';
import { type Busy, drawAdvice, drawBudget, drawCrosshair, drawMove, drawRivals, drawSelection, drawWhisker, type Laid, layOver, moveOf, whiskerOf } from './overlays';
import { importance, isBottlenecked, labelOf, NO_FILTERS, passes, placesOf, radiusOf, type Filters, type Place } from './places';

const DEFAULTS = { params: 1e8, vocab: 32000, context: 1024 };
const LIMITS = { params: [1e5, 1e14], vocab: [2, 10_000_000], context: [2, 1 << 24] } as const;
const HANDLE_DEPTH = 4.6;
const PATCH = /^[1-9]\d{0,2}x[1-9]\d{0,2}x[1-9]\d{0,2}$/;
const rankOf = (patch: string) => patch.split('x').reduce((product, one) => product * Number(one), 1);

// Of patches `vocab` is their rank, what the stream gets of each.
interface State { params: number; vocab: number; patch: string; context: number; model: string; trial: { depth: number; width: number } | null }

const isPhone = () => window.innerWidth < 700;
const powerOfTwo = (value: number) => {
    const power = 2 ** Math.min(24, Math.max(1, Math.round(Math.log2(value))));
    const known = siteContexts();
    return known.length > 0 ? Math.min(Math.max(power, known[0]), known[known.length - 1]) : power;
};

export class MapView {
    readonly element: HTMLElement;
    private state: State = { ...DEFAULTS, patch: '', model: '', trial: null };
    private lines: Lines = { threshold: !isPhone(), levine: !isPhone(), kaplan: false, nanochat: !isPhone(), knee: false, context: true, vocabulary: true, capacity: true, valley: true, rivals: false };
    private filters: Filters = { ...NO_FILTERS };
    private field: Field | null = null;
    private advice: Advice | null = null;
    private adviceProblem = '';
    private audit: Audit | null = null;
    private scene: Scene | null = null;
    private places: Place[] = [];
    private spots = new Map<string, Spot>();
    private busy: Busy[] = [];
    private laid: Laid | null = null;
    private bad = new Set<string>();
    private hover: { x: number; y: number; place: Place | null } | null = null;
    private layers: CanvasRenderingContext2D[] = [];
    private chart = h('div', { class: 'chart' });
    private tip = h('div', { class: 'tip', hidden: true, role: 'tooltip' });
    private handle = h('div', { class: 'handle', role: 'slider', tabindex: 0, 'aria-label': 'Budget in parameters', 'aria-valuemin': LIMITS.params[0], 'aria-valuemax': LIMITS.params[1] });
    private panel = h('aside', { class: 'panel', 'aria-label': 'Model and advice' });
    private upper = h('div', { class: 'upper' });
    private lower = h('div', { class: 'lower' });
    private fields: Record<'params' | 'vocab' | 'context', HTMLInputElement>;
    private fieldNote = h('p', { class: 'field-note', role: 'alert' });
    private sentence = h('p', { class: 'lead' });
    private key = h('div', { class: 'key' });
    private table = h('div', { class: 'table-place', hidden: true });
    private drag: { what: 'budget' | 'context' | 'vocab'; moved: boolean } | null = null;
    private pressed: { x: number; y: number } | null = null;
    private waitForAdvice = 0;
    private adviceStop: AbortController | null = null;
    private focused: Place | null = null;
    private readonly stop: (() => void)[] = [];
    constructor(private readonly data: MapData) {
        this.fields = { params: this.input('params', 'Parameters'), vocab: this.input('vocab', 'Vocabulary'), context: this.input('context', 'Context') };
        this.element = h('div', { class: 'map-view' }, this.column(), this.panel);
        this.panel.append(this.upper, this.lower);
        const observer = new ResizeObserver(() => this.resize());
        observer.observe(this.chart);
        this.stop.push(() => observer.disconnect(), onTheme(() => this.resize()));
        // A canvas draws with what there is: the faces that only it uses are asked for, and it is drawn again with them.
        const again = () => this.resize();
        document.fonts.addEventListener('loadingdone', again);
        this.stop.push(() => document.fonts.removeEventListener('loadingdone', again));
        void Promise.allSettled(CHART_FACES.map((face) => document.fonts.load(face))).then(again);
    }

    dispose() {
        for (const stop of this.stop) stop();
        clearTimeout(this.waitForAdvice);
        this.adviceStop?.abort();
    }

    private input(name: 'params' | 'vocab' | 'context', label: string): HTMLInputElement {
        const input = h('input', { id: `field-${name}`, inputmode: 'text', autocomplete: 'off', spellcheck: 'false', 'aria-label': label, class: name });
        input.addEventListener('change', () => this.typed(name, input.value));
        return input;
    }

    private column(): HTMLElement {
        const labelled = (name: 'params' | 'vocab' | 'context', label: string) => h('label', { class: `field ${name}` }, h('span', {}, label), this.fields[name]);
        this.chart.append(...['base', 'middle', 'points', 'top'].map((name) => {
            const canvas = h('canvas', { class: `layer ${name}-layer`, 'aria-hidden': 'true' });
            this.layers.push(canvas.getContext('2d')!);
            return canvas;
        }));
        this.chart.append(this.handle, this.tip);
        this.chart.setAttribute('role', 'application');
        this.chart.setAttribute('tabindex', '0');
        this.chart.setAttribute('aria-roledescription', 'chart');
        this.listen();
        return h('section', { class: 'column', 'aria-label': 'Map' },
            h('div', { class: 'title-row' }, h('div', { class: 'words' }, h('h1', { id: 'main-start', tabindex: -1 }, 'How deep, for how wide?'), this.sentence),
                h('div', { class: 'fields' }, labelled('params', 'Parameters'), labelled('vocab', 'Vocabulary'), labelled('context', 'Context'), this.fieldNote)),
            this.chart, this.key, this.table);
    }

    /** The view at an address. */
    show(parameters: URLSearchParams) {
        const number = (name: keyof typeof DEFAULTS) => {
            const value = parseCount(parameters.get(name) ?? '');
            return value !== null && value >= LIMITS[name][0] && value <= LIMITS[name][1] ? value : DEFAULTS[name];
        };
        const patch = hasServer() && PATCH.test(parameters.get('patch') ?? '') ? parameters.get('patch')! : '';
        const trial = /^(\d{1,4})x(\d{1,6})$/.exec(parameters.get('trial') ?? '');
        this.state = { params: hasServer() ? number('params') : siteBudget(number('params')), vocab: patch ? rankOf(patch) : number('vocab'), patch, context: powerOfTwo(number('context')), model: parameters.get('model') ?? '', trial: trial ? { depth: Number(trial[1]), width: Number(trial[2]) } : null };
        this.readFilters(parameters);
        this.showFields();
        this.drawKey();
        this.resize();
        this.loadField();
        if (!this.advised()) this.loadAdvice(0);
        this.loadAudit();
    }

    private readFilters(parameters: URLSearchParams) {
        const text = (name: string) => parameters.get(name) ?? '';
        const count = (name: string) => parseCount(text(name));
        this.filters = { kind: text('kind'), modality: text('modality'), family: text('family'), from: count('from'), to: count('to'), least: count('least'), most: count('most') };
    }

    private addressed(): Record<string, string | number | null> {
        const { params, vocab, patch, context, model, trial } = this.state;
        const f = this.filters;
        return {
            model: model || null, trial: trial ? `${trial.depth}x${trial.width}` : null, params: params === DEFAULTS.params ? null : short(params),
            patch: patch || null, vocab: patch || vocab === DEFAULTS.vocab ? null : vocab, context: context === DEFAULTS.context ? null : context,
            kind: f.kind || null, modality: f.modality || null, family: f.family || null, from: f.from, to: f.to, least: f.least === null ? null : short(f.least), most: f.most === null ? null : short(f.most),
        };
    }

    private remember(replace = false) {
        go('map', this.addressed(), replace);
    }

    private showFields() {
        const { params, vocab, patch, context } = this.state;
        this.fields.params.value = short(params);
        this.fields.vocab.value = patch || grouped(vocab);
        this.fields.context.value = grouped(context);
        this.fieldNote.textContent = '';
    }

    private typed(name: 'params' | 'vocab' | 'context', value: string) {
        const patch = value.trim().toLowerCase().replace(/\s*[×x]\s*/g, 'x').replace(/^(\d+x\d+)$/, '$1x3');
        if (name === 'vocab' && hasServer() && PATCH.test(patch)) {
            Object.assign(this.state, { patch, vocab: rankOf(patch) });
            this.remember();
            return this.show(new URLSearchParams(location.hash.split('?')[1] ?? ''));
        }
        const count = parseCount(value);
        const [low, high] = LIMITS[name];
        if (count === null || count < low || count > high) {
            this.fieldNote.textContent = `${name === 'params' ? 'Parameters' : name === 'vocab' ? 'Vocabulary' : 'Context'}: a number from ${short(low)} to ${short(high)}, such as ${name === 'params' ? '100M, 1.5B or 2e8' : grouped(DEFAULTS[name])}${name === 'vocab' && hasServer() ? ', or a patch such as 16x16x3' : ''}`;
            return;
        }
        if (name === 'vocab') this.state.patch = '';
        this.state[name] = name === 'context' ? powerOfTwo(count) : name === 'params' && !hasServer() ? siteBudget(count) : count;
        this.remember();
        this.show(new URLSearchParams(location.hash.split('?')[1] ?? ''));
    }

    // ---- what comes from the server

    private loadField() {
        const { context } = this.state;
        if (this.field?.context === context) return;
        get<Field>(`map/field?${query({ context })}`).then((field) => {
            if (this.state.context !== context) return;
            this.field = field;
            this.redraw();
        }, () => { /* the water stays flat, and the strip says that the server is gone */ });
    }

    private loadAdvice(wait: number) {
        clearTimeout(this.waitForAdvice);
        this.adviceStop?.abort();
        this.waitForAdvice = window.setTimeout(() => {
            const stop = (this.adviceStop = new AbortController());
            const { params, vocab, patch } = this.state;
            const context = hasServer() ? this.state.context : DEFAULTS.context;
            const asked = patch ? { params: Math.round(params), patch } : { params: Math.round(params), vocab, context };
            getOnce<Advice>(`advise?${query(asked)}`, stop.signal).then((advice) => {
                this.advice = advice;
                this.adviceProblem = '';
                this.drawPanel();
                this.redrawOver();
                announce(`Advised for ${short(params)} parameters: ${advice.answer.depth} layers, width ${advice.answer.width}`);
            }, (problem: Error) => {
                if (problem.name === 'AbortError') return;
                this.advice = null;
                this.adviceProblem = problem instanceof ApiError ? problem.text : problem.message;
                this.drawPanel();
                this.redrawOver();
            });
        }, wait);
    }

    // Whether the advice at hand is for what is asked.
    private advised(): boolean {
        const asked = this.advice?.request;
        if (asked?.params !== Math.round(this.state.params)) return false;
        if (this.state.patch) return asked.patch?.join('x') === this.state.patch;
        return asked.vocab === this.state.vocab && (asked.context === this.state.context || !hasServer());
    }

    private loadAudit() {
        const { model, trial, vocab, patch, context } = this.state;
        this.audit = null;
        this.drawPanel();
        if (!model && !trial) return;
        const heads = trial ? Math.max(1, Math.round(trial.width / 64)) : 0;
        const path = model ? `audit?${query({ model })}` : `audit?${query({ spec: `transformer:depth=${trial!.depth},width=${trial!.width},heads=${heads},${patch ? `patch=${patch.split('x')[0]},image=${16 * Number(patch.split('x')[0])},classes=1000` : `vocab=${vocab}`}`, context: patch ? null : context })}`;
        const key = JSON.stringify([model, trial]);
        get<Audit>(path).then((audit) => {
            if (key !== JSON.stringify([this.state.model, this.state.trial])) return;
            this.audit = trial ? { ...audit, name: `A trial network, ${shape(trial.depth, trial.width)}` } : audit;
            this.drawPanel();
            announce(`${audit.name}: ${audit.verdict}`);
        }, (problem: Error) => {
            clear(this.upper, h('p', { class: 'problem', role: 'alert' }, problem instanceof ApiError ? problem.text : problem.message));
        });
    }

    // ---- drawing

    private resize() {
        const size = { width: this.chart.clientWidth, height: this.chart.clientHeight };
        if (size.width < 50 || size.height < 50) return;
        const ratio = Math.min((window.devicePixelRatio || 1) * this.zoom(), 3);
        for (const layer of this.layers) {
            const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
            if (layer.canvas.width !== width || layer.canvas.height !== height) {
                layer.canvas.width = width;
                layer.canvas.height = height;
            }
            layer.setTransform(ratio, 0, 0, ratio, 0, 0);
        }
        const small = size.width < 700 && window.innerWidth < 700;
        const margins = small ? { left: 40, right: 10, top: 8, bottom: 36 } : { left: 58, right: 14, top: 10, bottom: 46 };
        const frame = frameOf(size, margins, this.data.frame.width, this.data.frame.depth);
        this.scene = { frame, colours: colours(), data: this.data, field: this.field, lines: this.lines, small, vocab: this.state.vocab, patch: this.state.patch, context: this.state.context, budget: this.state.params, points: [], avoid: [], taken: [] };
        this.redraw();
    }

    // The style sheet enlarges the page on very large screens; what the pointer says is not enlarged.
    private zoom = () => this.chart.getBoundingClientRect().width / this.chart.clientWidth || 1;

    private clearLayer(i: number): CanvasRenderingContext2D {
        const layer = this.layers[i];
        layer.save();
        layer.setTransform(1, 0, 0, 1, 0, 0);
        layer.clearRect(0, 0, layer.canvas.width, layer.canvas.height);
        layer.restore();
        return layer;
    }

    private redraw() {
        if (!this.scene) return;
        Object.assign(this.scene, { field: this.field, lines: this.lines, vocab: this.state.vocab, patch: this.state.patch, context: this.state.context, budget: this.state.params });
        const shown = this.findPlaces();
        const mark = this.adviceMark();
        const { frame } = this.scene;
        this.scene.avoid = [this.handleBox(), ...(mark ? [{ left: frame.x(mark.width) - 22, right: frame.x(mark.width) + 22, top: frame.y(mark.depth) - 16, bottom: frame.y(mark.depth) + 16 }] : [])];
        drawBase(this.clearLayer(0), this.scene);
        this.nameThem(this.scene);
        if (!this.table.hidden) clear(this.table, tableOf(shown, this.data.load_line, (model) => this.select(model.id)));
        this.redrawBudget();
        this.redrawTop();
        this.drawNames();
        if (this.field && !this.chart.dataset.drawn) this.chart.dataset.drawn = String(Math.round(performance.now())); // for tests: when all of it stood
    }

    private findPlaces(): MapModel[] {
        const shown = this.data.models.filter((model) => passes(model, this.filters));
        this.places = placesOf(shown);
        this.sentence.textContent = `${shown.length} networks. Further down is deeper. Below the load line a network is too deep for its width; above it, too shallow.`;
        this.chart.setAttribute('aria-label', `${this.sentence.textContent} Arrow keys go from point to point, Enter selects.`);
        const { frame } = this.scene!;
        this.scene!.points = this.places.map((place) => {
            const [x, y, r] = [frame.x(place.width), frame.y(place.depth), radiusOf(place) + 1];
            return { left: x - r, right: x + r, top: y - r, bottom: y + r };
        });
        return shown;
    }

    // Names that something laid over them would cover are left out; where they stand never changes.
    private drawNames() {
        const scene = this.scene!;
        const place = this.places.find(({ models }) => models.some(({ id }) => id === this.state.model));
        const without = place ? `${place.depth}x${place.width}` : '';
        const covers = this.laid?.covers ?? [];
        drawPoints(this.clearLayer(2), scene, this.places, this.spots, this.bad, without, covers);
        const names = [...this.spots].filter(([key, { box }]) => key !== without && !covers.some((other) => overlaps(other, box))).map(([, { box }]) => box);
        this.chart.dataset.names = String(names.length);
        // For tests: words that lie over others.
        const boxes = [...names, ...(this.laid?.words ?? [])];
        const over = (box: Box, others: Box[]) => others.filter((other) => other !== box && overlaps(box, other)).length;
        this.chart.dataset.covered = String(boxes.reduce((sum, box, i) => sum + over(box, boxes.slice(i + 1)) + over(box, scene.taken), 0));
    }

    private nameThem(scene: Scene) {
        const { frame, small } = scene;
        const c = this.layers[2];
        c.font = labelFont(small);
        const order = [...this.places].sort((a, b) => Math.min(...a.models.map(importance)) - Math.min(...b.models.map(importance)));
        this.bad.clear();
        const wishes: Wish[] = order.map((place) => {
            const key = `${place.depth}x${place.width}`;
            if (place.models.every(isBottlenecked)) this.bad.add(key);
            const counts = [3, 2, 1].filter((count) => count <= Math.max(1, Math.min(place.models.length, small ? 2 : 3)));
            const names = counts.map((count) => labelOf(place, count)).map((text) => ({ text, width: c.measureText(text).width }));
            return { key, names, x: frame.x(place.width), y: frame.y(place.depth), radius: radiusOf(place), height: small ? 12 : 15 };
        });
        const taken = [...scene.points, ...scene.taken];
        const line = curves.loadLine(frame, this.data);
        this.spots = placeLabels(wishes, { left: frame.left, right: frame.right, top: frame.top, bottom: frame.bottom }, taken, (box) => lineTouches(line, box), small ? 10 : Infinity);
        this.busy = [...scene.points.map((box) => ({ box, weight: 3 })), ...scene.taken.map((box) => ({ box, weight: 2 })), ...[...this.spots.values()].map(({ box }) => ({ box, weight: 1 }))];
    }

    // What has been laid anew, and the names around it.
    private redrawOver() {
        if (!this.scene) return;
        this.redrawBudget();
        this.redrawTop();
        if (!this.drag) this.drawNames();
    }

    private handleBox(): Box {
        const { frame } = this.scene!;
        const x = this.handleX();
        const y = frame.y(HANDLE_DEPTH);
        return { left: x - 42, right: x + 42, top: y - 12, bottom: y + 12 };
    }

    private rivals = () => (this.lines.rivals && this.advice && !this.drag ? this.advice.rivals : []);

    private lay() {
        const scene = this.scene!;
        const { frame, small } = scene;
        const model = this.selectedModel();
        const { trial } = this.state;
        const place = model && this.places.find(({ models }) => models.includes(model));
        const selected = model ? { ...model, radius: place ? radiusOf(place) : 4 } : trial ? { ...trial, radius: 2, name: shape(trial.depth, trial.width) } : null;
        this.laid = layOver(this.layers[3], scene, {
            selected, whisker: model ? whiskerOf(frame, model, small) : null, move: model?.findings.some(({ id }) => id === 'depth-valley') ? moveOf(frame, this.data, model) : null,
            advice: this.adviceMark(), rivals: this.rivals(), handle: this.handleBox(),
        }, this.busy);
    }

    private redrawBudget() {
        const scene = this.scene!;
        scene.budget = this.state.params;
        this.lay();
        const layer = this.clearLayer(1);
        drawBudget(layer, scene, this.laid!);
        const model = this.selectedModel();
        const whisker = model && whiskerOf(scene.frame, model, scene.small);
        if (whisker) drawWhisker(layer, scene, whisker, this.laid!.whisker);
        const hovered = this.hover?.place?.models.find(isBottlenecked);
        const other = hovered && hovered !== model && whiskerOf(scene.frame, hovered, scene.small);
        if (other) drawWhisker(layer, scene, other, null);
        this.placeHandle();
    }

    private handleX(): number {
        const { frame } = this.scene!;
        return Math.min(Math.max(frame.x(budgetWidth(this.state.params, this.state.vocab, HANDLE_DEPTH)), frame.left + 42), frame.right - 42);
    }

    private placeHandle() {
        this.handle.style.transform = `translate(${this.handleX()}px, ${this.scene!.frame.y(HANDLE_DEPTH)}px)`;
        this.handle.textContent = short(this.state.params);
        this.handle.setAttribute('aria-valuenow', String(Math.round(this.state.params)));
        this.handle.setAttribute('aria-valuetext', `${human(this.state.params)} parameters`);
    }

    private adviceMark(): { depth: number; width: number; words: string } | null {
        const { advice } = this;
        if (this.adviceProblem && !this.drag) return null;
        if (advice && !this.drag && advice.request.params === Math.round(this.state.params)) return { depth: advice.answer.depth, width: advice.answer.width, words: `advised: ${shape(advice.answer.depth, advice.answer.width)}` };
        const near = nearShape(this.data.load_line, this.state.params, this.state.vocab);
        return { ...near, words: `near ${shape(Math.round(near.depth), significant(near.width, 2))}` };
    }

    private redrawTop() {
        const scene = this.scene;
        if (!scene) return;
        this.lay();
        const laid = this.laid!;
        const layer = this.clearLayer(3);
        const { model, trial } = this.state;
        const selected = this.selectedModel();
        const radiusAt = (at: { depth: number; width: number }) => this.places.filter(({ depth, width }) => depth === at.depth && width === at.width).map(radiusOf)[0] ?? 4;
        if (selected) {
            const move = laid.move && moveOf(scene.frame, this.data, selected);
            if (move) drawMove(layer, scene, move, laid.move);
            drawSelection(layer, scene, { ...selected, radius: radiusAt(selected) }, laid.selection, selected.findings.some(({ severity }) => severity === 'severe'));
        }
        if (trial && !model) drawSelection(layer, scene, { ...trial, radius: 2 }, laid.selection, false);
        if (this.focused) drawSelection(layer, scene, { ...this.focused, radius: radiusOf(this.focused) }, null, false);
        drawRivals(layer, scene, this.rivals(), laid.rivals);
        const mark = this.adviceMark();
        if (mark) drawAdvice(layer, scene, mark, laid.advice);
        if (this.hover && !this.hover.place && !this.drag) drawCrosshair(layer, scene, this.hover.x, this.hover.y, this.readout(this.hover.x, this.hover.y));
    }

    private readout(x: number, y: number): string {
        const { frame } = this.scene!;
        const [depth, width] = [Math.round(frame.depth(y)), this.roundedWidth(frame.width(x))];
        const parts = [shape(depth, width), human(budgetAt(0, depth, width)), `line ${Math.round(lineDepth(this.data.load_line, width))}`];
        if (this.field) parts.splice(2, 0, `capacity 10^${valueAt(this.field, (x - frame.left) / (frame.right - frame.left), (y - frame.top) / (frame.bottom - frame.top)).toFixed(1)}`);
        return parts.join(', ');
    }

    private roundedWidth = (width: number) => Math.max(64, Math.round(width / 64) * 64);
    private selectedModel = (): MapModel | undefined => this.data.models.find(({ id }) => id === this.state.model);

    // ---- the panel

    private drawPanel() {
        const waits = (this.state.model || this.state.trial) && !this.audit;
        if (this.audit) clear(this.upper, this.closeButton(), card(this.audit, this.data.load_line, { panel: true }));
        else if (!waits) clear(this.upper, howToRead(this.data));
        this.panel.classList.toggle('selected', Boolean(this.audit));
        clear(this.lower, ...advicePanel(this.state, this.advice, this.adviceProblem, this.drag ? this.adviceMark()?.words ?? '' : ''));
    }

    private closeButton() {
        return h('button', { class: 'close', type: 'button', 'aria-label': 'Close the selected model', onClick: () => this.unselect() }, '×');
    }

    private drawKey() {
        const change = () => { this.drawKey(); this.redraw(); this.remember(true); };
        const open = new Set([...this.key.querySelectorAll('details[open]')].map((details) => details.className));
        clear(this.key, ...lineControls(this.lines, this.scene?.small ?? false, change), filterControls(this.data.models, this.filters, change),
            h('button', { type: 'button', class: 'link', 'aria-expanded': String(!this.table.hidden), onClick: () => this.toggleTable() }, this.table.hidden ? 'Show as table' : 'Hide the table'));
        for (const details of this.key.querySelectorAll('details')) if (open.has(details.className)) details.open = true;
    }

    private toggleTable() {
        this.table.hidden = !this.table.hidden;
        this.element.classList.toggle('with-table', !this.table.hidden);
        this.drawKey();
        if (!this.table.hidden) clear(this.table, tableOf(this.data.models.filter((model) => passes(model, this.filters)), this.data.load_line, (model) => this.select(model.id)));
        this.resize();
    }

    select(id: string) {
        this.state.model = id;
        this.state.trial = null;
        this.focused = null;
        this.remember();
    }

    private unselect() {
        this.state.model = '';
        this.state.trial = null;
        this.remember();
    }

    // ---- the pointer and the keys

    private listen() {
        const at = (event: PointerEvent) => {
            const box = this.chart.getBoundingClientRect();
            return { x: (event.clientX - box.left) / this.zoom(), y: (event.clientY - box.top) / this.zoom() };
        };
        this.chart.addEventListener('pointerdown', (event) => this.press(event, at(event)));
        this.chart.addEventListener('pointermove', (event) => this.move(event, at(event)));
        this.chart.addEventListener('pointerup', (event) => this.release(event, at(event)));
        this.chart.addEventListener('pointercancel', () => this.endDrag());
        this.chart.addEventListener('pointerleave', () => { if (!this.drag) this.leave(); });
        this.chart.addEventListener('keydown', (event) => this.chartKey(event));
        this.handle.addEventListener('keydown', (event) => this.handleKey(event));
        this.chart.addEventListener('blur', () => { this.focused = null; this.redrawTop(); });
    }

    private grabbed(x: number, y: number, event: Event): 'budget' | 'context' | 'vocab' | null {
        const { frame } = this.scene!;
        if (event.target === this.handle) return 'budget';
        if (!frame.contains(x, y)) return null;
        const depth = frame.depth(y);
        if (Math.abs(frame.x(budgetWidth(this.state.params, this.state.vocab, depth)) - x) < 6) return 'budget';
        if (this.lines.context && Math.abs(frame.x(this.state.context / 2) - x) < 5) return 'context';
        if (this.lines.vocabulary && Math.abs(frame.x(this.state.vocab) - x) < 5) return 'vocab';
        return null;
    }

    private near(x: number, y: number, catchRadius: number): Place | null {
        const { frame } = this.scene!;
        let best: Place | null = null;
        let least = catchRadius;
        for (const place of this.places) {
            const distance = Math.max(0, Math.hypot(frame.x(place.width) - x, frame.y(place.depth) - y) - radiusOf(place) + 4);
            if (distance < least) [best, least] = [place, distance];
        }
        return best;
    }

    private press(event: PointerEvent, { x, y }: { x: number; y: number }) {
        if (!this.scene || event.button !== 0) return;
        const place = event.target === this.handle ? null : this.near(x, y, 7);
        const what = place ? null : this.grabbed(x, y, event);
        this.pressed = { x, y };
        if (!what) return;
        this.drag = { what, moved: false };
        this.chart.setPointerCapture(event.pointerId);
        this.chart.classList.add('dragging');
        this.hideTip();
        event.preventDefault();
        if (what === 'budget') this.handle.focus();
    }

    private move(event: PointerEvent, { x, y }: { x: number; y: number }) {
        if (!this.scene) return;
        if (this.drag) return this.dragTo(x, y);
        if (event.pointerType === 'touch') return;
        this.point(x, y, 16, event);
    }

    private point(x: number, y: number, catchRadius: number, event: Event) {
        const { frame } = this.scene!;
        if (!frame.contains(x, y) || event.target === this.handle) return this.leave();
        const place = this.near(x, y, catchRadius);
        const before = this.hover?.place;
        this.hover = { x, y, place };
        this.chart.style.cursor = place ? 'pointer' : this.grabbed(x, y, event) ? 'ew-resize' : 'crosshair';
        if (place !== before) this.redrawBudget();
        if (place) this.showTip(place);
        else this.hideTip();
        this.redrawTop();
    }

    private leave() {
        if (!this.hover) return;
        const before = this.hover.place;
        this.hover = null;
        this.hideTip();
        if (before) this.redrawBudget();
        this.redrawTop();
    }

    private dragTo(x: number, y: number) {
        const { frame } = this.scene!;
        const drag = this.drag!;
        drag.moved = true;
        const inX = Math.min(Math.max(x, frame.left + 2), frame.right - 2);
        const inY = Math.min(Math.max(y, frame.top + 2), frame.bottom - 2);
        if (drag.what === 'budget') {
            const { vocab } = this.state;
            const budget = budgetAt(vocab, frame.depth(inY), frame.width(inX));
            this.state.params = significant(Math.min(Math.max(budget, LIMITS.params[0]), LIMITS.params[1]));
            this.fields.params.value = short(this.state.params);
            this.redrawBudget();
        } else if (drag.what === 'context') {
            const context = powerOfTwo(2 * frame.width(inX));
            if (context === this.state.context) return;
            this.state.context = context;
            this.showFields();
            this.loadField();
            this.redraw();
        } else {
            this.state.vocab = significant(frame.width(inX), 2);
            this.state.patch = '';
            this.showFields();
            this.redraw();
        }
        this.redrawTop();
        clear(this.lower, ...advicePanel(this.state, null, '', this.adviceMark()?.words ?? ''));
        this.loadAdvice(150);
    }

    private endDrag() {
        this.drag = null;
        this.pressed = null;
        this.chart.classList.remove('dragging');
        this.redrawOver();
    }

    private release(event: PointerEvent, { x, y }: { x: number; y: number }) {
        if (!this.scene) return;
        if (this.drag) {
            const { moved } = this.drag;
            if (!hasServer()) this.state.params = siteBudget(this.state.params);
            this.endDrag();
            if (moved) {
                this.loadAdvice(0);
                this.remember();
            }
            return;
        }
        const click = this.pressed && Math.hypot(x - this.pressed.x, y - this.pressed.y) < 5;
        this.pressed = null;
        if (!click || event.target === this.handle || !this.scene.frame.contains(x, y)) return;
        this.clicked(event, x, y);
    }

    private clicked(event: PointerEvent, x: number, y: number) {
        const touch = event.pointerType === 'touch';
        const place = this.near(x, y, touch ? 22 : 16);
        if (touch && place && this.hover?.place !== place) return this.point(x, y, 22, event);
        if (place) return this.choose(place);
        const { frame } = this.scene!;
        if (!hasServer()) return;
        this.state.model = '';
        this.state.trial = { depth: Math.max(1, Math.round(frame.depth(y))), width: this.roundedWidth(frame.width(x)) };
        this.remember();
    }

    // A shared place lists its models first.
    private choose(place: Place) {
        if (place.models.length === 1) return this.select(place.models[0].id);
        const sorted = [...place.models].sort((a, b) => Number(isBottlenecked(b)) - Number(isBottlenecked(a)) || importance(a) - importance(b));
        this.audit = null;
        clear(this.upper, h('section', { class: 'several' }, h('p', { class: 'eyebrow' }, `${place.models.length} models at ${shape(place.depth, place.width)}`), h('ul', {},
            ...sorted.map((model) => h('li', {}, h('button', { type: 'button', onClick: () => this.select(model.id) }, h('b', {}, model.name), h('span', {}, model.facts.split(', ').slice(2).join(', '))))))));
        this.panel.classList.add('selected');
        this.upper.querySelector('button')?.focus();
    }

    private showTip(place: Place) {
        const { frame } = this.scene!;
        clear(this.tip, ...tipFor(place));
        this.tip.hidden = false;
        const [x, y] = [frame.x(place.width), frame.y(place.depth)];
        const { offsetWidth: width, offsetHeight: height } = this.tip;
        const left = Math.min(Math.max(4, x + 14 + width > this.chart.clientWidth ? x - width - 14 : x + 14), this.chart.clientWidth - width - 4);
        const top = Math.min(Math.max(4, y + 12), this.chart.clientHeight - height - 4);
        this.tip.style.transform = `translate(${left}px, ${top}px)`;
    }

    private hideTip() {
        this.tip.hidden = true;
    }

    private chartKey(event: KeyboardEvent) {
        if (event.target !== this.chart) return;
        if (event.key === 'Escape') {
            if (!this.tip.hidden || this.focused) {
                this.hideTip();
                this.focused = null;
                this.redrawTop();
            } else this.unselect();
            return;
        }
        if (event.key === 'Enter' && this.focused) return this.choose(this.focused);
        const next = this.nextPlace(event.key);
        if (!next) return;
        event.preventDefault();
        this.focused = next;
        this.hover = null;
        this.showTip(next);
        this.redrawTop();
        announce(`${labelOf(next)}, ${next.depth} layers, width ${next.width}, line ${Math.round(lineDepth(this.data.load_line, next.width))}`);
    }

    private nextPlace(key: string): Place | null {
        const size = (place: Place) => place.depth * place.width * place.width;
        const bySize = [...this.places].sort((a, b) => size(a) - size(b));
        if (key === 'Home') return bySize[0] ?? null;
        if (key === 'End') return bySize.at(-1) ?? null;
        const directions: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
        const direction = directions[key];
        if (!direction) return null;
        if (!this.focused) return this.places.find(({ models }) => models.some(({ id }) => id === this.state.model)) ?? bySize[Math.floor(bySize.length / 2)] ?? null;
        const { frame } = this.scene!;
        const [x0, y0] = [frame.x(this.focused.width), frame.y(this.focused.depth)];
        let best: Place | null = null;
        let least = Infinity;
        for (const place of this.places) {
            const [dx, dy] = [frame.x(place.width) - x0, frame.y(place.depth) - y0];
            const ahead = dx * direction[0] + dy * direction[1];
            const aside = Math.abs(dx * direction[1]) + Math.abs(dy * direction[0]);
            if (ahead <= 0.5 || aside > 2.5 * ahead) continue;
            const cost = ahead + 2 * aside;
            if (cost < least) [best, least] = [place, cost];
        }
        return best ?? this.focused;
    }

    // Without a server a step goes to the next budget that has an answer.
    private stepped(factor: number): number {
        const next = significant(Math.min(Math.max(this.state.params * factor, LIMITS.params[0]), LIMITS.params[1]));
        if (hasServer()) return next;
        const near = siteBudget(next);
        return near !== this.state.params ? near : siteBudget(this.state.params * (factor > 1 ? 1.5 : 1 / 1.5));
    }

    private handleKey(event: KeyboardEvent) {
        const factors: Record<string, number> = { ArrowRight: 1.05, ArrowUp: 1.05, ArrowLeft: 1 / 1.05, ArrowDown: 1 / 1.05, PageUp: 10, PageDown: 0.1 };
        const factor = factors[event.key];
        if (!factor) return;
        event.preventDefault();
        event.stopPropagation();
        this.state.params = this.stepped(factor);
        this.showFields();
        this.redrawBudget();
        this.redrawTop();
        clear(this.lower, ...advicePanel(this.state, null, '', this.adviceMark()?.words ?? ''));
        this.loadAdvice(250);
        this.remember(true);
    }
}


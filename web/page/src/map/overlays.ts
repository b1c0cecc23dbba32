// What is laid over the chart: the budget, a model's whisker, the selection and its move, the advice. Their words are placed one
// after the other where they cover least; names of points that they cover all the same are left out.

import type { MapData, MapModel } from '../api';
import { grouped, shape, short } from '../format';
import { bestDepth, widthAt } from '../line';
import * as curves from './curves';
import { type Canvas, clipped, CONDENSED, path, type Scene, text } from './draw';
import type { Frame } from './frame';
import { overlaps, type Box } from './labels';

/** Something that words should not cover, and how much it matters. */
export interface Busy { box: Box; weight: number }
export interface Words { text: string; x: number; y: number; align: CanvasTextAlign; font: string; turn?: number; box: Box }
type Spot = { x: number; y: number; align: CanvasTextAlign; turn?: number };

const OUTSIDE = 100;

function boxAt({ x, y, align, turn }: Spot, width: number): Box {
    if (turn) {
        const [across, down] = [Math.abs(width * Math.cos(turn)) / 2 + 6, Math.abs(width * Math.sin(turn)) / 2 + 6];
        return { left: x - across, right: x + across, top: y - down, bottom: y + down };
    }
    const left = align === 'left' ? x : align === 'right' ? x - width : x - width / 2;
    return { left: left - 2, right: left + width + 2, top: y - 8, bottom: y + 8 };
}

function costOf(box: Box, frame: Frame, busy: Busy[]): number {
    const outside = box.left < frame.left + 2 || box.right > frame.right - 2 || box.top < frame.top + 2 || box.bottom > frame.bottom - 2;
    return (outside ? OUTSIDE : 0) + busy.reduce((sum, other) => sum + (overlaps(box, other.box) ? other.weight : 0), 0);
}

/** The words at the spot where they cover least; the first of equals. */
export function placeWords(c: Canvas, frame: Frame, words: string, font: string, spots: Spot[], busy: Busy[]): Words {
    c.font = font;
    const width = c.measureText(words).width;
    const placed = spots.map((spot) => {
        const box = boxAt(spot, width);
        return { words: { ...spot, text: words, font, box }, cost: costOf(box, frame, busy) };
    });
    return placed.reduce((a, b) => (b.cost < a.cost ? b : a)).words;
}

/** Beside a place: right, left, above, below and between, first near, then farther. */
function around(x: number, y: number, reach: number): Spot[] {
    const spots: Spot[] = [];
    for (const lift of [14, 0, 28, 42]) for (const [dx, dy] of [[1, -1], [-1, -1], [1, 1], [-1, 1]]) spots.push({ x: x + dx * (lift > 14 ? reach * 0.5 : reach), y: y + dy * lift, align: dx > 0 ? 'left' : 'right' });
    for (const dy of [-1, 1]) spots.push({ x, y: y + dy * (reach + 10), align: 'center' });
    return spots;
}

function write(c: Canvas, { frame: _, colours }: Scene, words: Words, colour: string) {
    text(c, words.text, words.x, words.y, { font: words.font, colour, halo: colours.halo, haloWidth: 4, align: words.align, turn: words.turn });
}

/** Places of the same parameters on the load line; null where that is the model's own place. */
export function moveOf(frame: Frame, data: MapData, model: { depth: number; width: number }) {
    const size = 12 * model.depth * model.width * model.width;
    const depth = Math.max(1, Math.round(bestDepth(data.load_line.constants, size)));
    const width = widthAt(size, depth);
    const [x0, y0, x1, y1] = [frame.x(model.width), frame.y(model.depth), frame.x(width), frame.y(depth)];
    if (Math.hypot(x1 - x0, y1 - y0) < 26 || !frame.contains(x1, y1)) return null;
    return { x0, y0, x1, y1, words: `same parameters: ${shape(depth, Math.round(width / 8) * 8)}` };
}

/** The width inside a model that disagrees with its own, where it has one. */
export function whiskerOf(frame: Frame, model: MapModel, small: boolean) {
    const wide = model.attention !== null && model.attention > model.width * 1.01;
    const narrow = model.input_rank !== null && model.input_rank < model.width * 0.99;
    if (!wide && !narrow) return null;
    const inner = wide ? model.attention! : model.input_rank!;
    const ratio = wide ? inner / model.width : model.width / inner;
    const end = Math.min(Math.max(frame.x(inner), frame.left), frame.right);
    const words = small ? `${wide ? 'attention' : 'enters through'} ${grouped(inner)}` : wide ? `attention ${grouped(inner)}, ${Number(ratio.toPrecision(3))} × the stream` : `enters through ${grouped(inner)} of ${grouped(model.width)}`;
    return { wide, from: frame.x(model.width), end, y: frame.y(model.depth), words };
}

export interface Laid { budget: Words | null; selection: Words | null; whisker: Words | null; move: Words | null; advice: Words | null; rivals: Words[]; words: Box[]; covers: Box[] }
export interface Wanted {
    selected: { depth: number; width: number; radius: number; name: string } | null;
    whisker: ReturnType<typeof whiskerOf>; move: ReturnType<typeof moveOf>;
    advice: { depth: number; width: number; words: string } | null;
    rivals: { label: string; depth: number; width: number }[];
    handle: Box;
}

const square = (x: number, y: number, reach: number): Box => ({ left: x - reach, right: x + reach, top: y - reach, bottom: y + reach });

/** Where the words of everything that is laid over the chart stand. */
export function layOver(c: Canvas, scene: Scene, wanted: Wanted, lying: Busy[]): Laid {
    const { frame, small } = scene;
    const busy = [...lying, { box: wanted.handle, weight: 20 }];
    const laid: Laid = { budget: null, selection: null, whisker: null, move: null, advice: null, rivals: [], words: [wanted.handle], covers: [wanted.handle] };
    const put = (words: string, font: string, spots: Spot[]): Words => {
        const placed = placeWords(c, frame, words, font, spots, busy);
        busy.push({ box: placed.box, weight: 30 });
        laid.words.push(placed.box);
        laid.covers.push(placed.box);
        return placed;
    };
    const { selected, whisker, move, advice } = wanted;
    const bar = small ? 31 : 38.5;
    const mark = advice ? { x: frame.x(advice.width), y: frame.y(advice.depth) } : null;
    const hold = (box: Box, weight: number) => {
        busy.push({ box, weight });
        laid.covers.push(box);
    };
    if (mark) hold({ left: mark.x - bar / 2, right: mark.x + bar / 2, top: mark.y - 12, bottom: mark.y + 12 }, 20);
    if (selected) hold(square(frame.x(selected.width), frame.y(selected.depth), selected.radius + 6), 20);
    if (move) hold(square(move.x1, move.y1, 8), 20);
    if (whisker) {
        hold({ left: Math.min(whisker.from, whisker.end), right: Math.max(whisker.from, whisker.end), top: whisker.y - 4, bottom: whisker.y + 4 }, 10);
    }
    if (mark) laid.advice = put(advice!.words, `600 ${small ? 11.5 : 13.5}px ${CONDENSED}`, [...around(mark.x, mark.y, bar / 2 + 8)].sort((a, b) => Number(a.align !== 'right') - Number(b.align !== 'right')));
    if (selected) laid.selection = put(selected.name, `600 ${small ? 12 : 14}px ${CONDENSED}`, around(frame.x(selected.width), frame.y(selected.depth), selected.radius + 9));
    if (whisker) {
        const inner = (spot: Spot): Spot => ({ ...spot, x: Math.min(Math.max(spot.x, frame.left + 4), frame.right - 4) });
        const [{ end, from, y }, back] = [whisker, whisker.wide ? 'right' : 'left'] as const;
        laid.whisker = put(whisker.words, `500 ${small ? 10.5 : 12.5}px ${CONDENSED}`, [end, (end + from) / 2].flatMap((x) => [-16, 16, -30, 30].map((by) => inner({ x, y: y + by, align: x === end ? back : 'center' }))));
    }
    if (move) laid.move = put(move.words, `500 ${small ? 10.5 : 12.5}px ${CONDENSED}`, [...[19, -19].map((by): Spot => ({ x: move.x1, y: move.y1 + by, align: 'center' })), ...around(move.x1, move.y1, 18)]);
    const rivals = wanted.rivals.map(({ label, depth, width }) => ({ label, x: frame.x(width), y: frame.y(depth) })).filter(({ x, y }) => frame.contains(x, y));
    for (const { x, y } of rivals) hold(square(x, y, 6), 20);
    laid.rivals = rivals.map(({ label, x, y }) => put(label, `400 11.5px ${CONDENSED}`, around(x, y, 9)));
    const points = curves.budgetLine(frame, scene.budget, scene.vocab);
    const spots = points.slice(1).flatMap(([x, y], i): Spot[] => {
        const [x0, y0] = points[i];
        const turn = Math.atan2(y0 - y, x0 - x);
        return y > frame.top + 0.5 * (frame.bottom - frame.top) && y < frame.bottom - 30 && x > frame.left + 16 && x < frame.right - 16 ? [{ x: x - 9, y, align: 'center', turn }, { x: x + 10, y, align: 'center', turn }] : [];
    }).reverse();
    if (spots.length > 0) laid.budget = put(small ? short(scene.budget) : 'your budget', `500 ${small ? 11.5 : 13}px ${CONDENSED}`, spots);
    return laid;
}

/** The line of the budget. */
export function drawBudget(c: Canvas, scene: Scene, laid: Laid) {
    const { frame, colours, budget, vocab } = scene;
    clipped(c, frame, () => {
        path(c, curves.budgetLine(frame, budget, vocab), 2.2, colours.accent);
        if (laid.budget) write(c, scene, laid.budget, colours.accent);
    });
}

/** From a model's width to the inner width that disagrees. */
export function drawWhisker(c: Canvas, scene: Scene, whisker: NonNullable<Wanted['whisker']>, words: Words | null) {
    const { frame, colours } = scene;
    const { wide, from, end, y } = whisker;
    c.globalAlpha = words ? 1 : 0.6;
    path(c, [[from, y], [end, y]], 3, colours['warn-fill']);
    if (end > frame.left && end < frame.right) path(c, [[end, y - 7], [end, y + 7]], 3, colours['warn-fill']);
    else path(c, [[end + (wide ? -7 : 7), y - 6], [end, y], [end + (wide ? -7 : 7), y + 6]], 3, colours['warn-fill']);
    c.globalAlpha = 1;
    if (words) write(c, scene, words, colours.warn);
}

function ring(c: Canvas, x: number, y: number, radius: number, bar: number, width: number, colour: string, halo: string, fill: string) {
    for (const [lineWidth, stroke] of [[width + 4, halo], [width, colour]] as const) {
        c.lineWidth = lineWidth;
        c.strokeStyle = stroke;
        c.beginPath();
        c.arc(x, y, radius, 0, 2 * Math.PI);
        if (stroke === halo) {
            c.fillStyle = fill;
            c.globalAlpha = 0.65;
            c.fill();
            c.globalAlpha = 1;
        }
        c.stroke();
        c.beginPath();
        c.moveTo(x - bar / 2, y);
        c.lineTo(x + bar / 2, y);
        c.stroke();
    }
}

/** The mark of the advice. */
export function drawAdvice(c: Canvas, scene: Scene, advice: { depth: number; width: number }, words: Words | null) {
    const { frame, colours, small } = scene;
    const [radius, bar] = small ? [9, 31] : [11, 38.5];
    ring(c, frame.x(advice.width), frame.y(advice.depth), radius, bar, 2.6, colours.accent, colours.halo, colours['dot-fill']);
    if (words) write(c, scene, words, colours.accent);
}

/** The shapes that the rules of others give for the budget. */
export function drawRivals(c: Canvas, scene: Scene, rivals: Wanted['rivals'], words: Words[]) {
    const { frame, colours } = scene;
    for (const rival of rivals) {
        const [x, y] = [frame.x(rival.width), frame.y(rival.depth)];
        if (!frame.contains(x, y)) continue;
        c.beginPath();
        for (const [dx, dy] of [[0, -5.5], [5.5, 0], [0, 5.5], [-5.5, 0]]) c.lineTo(x + dx, y + dy);
        c.closePath();
        c.fillStyle = colours['dot-fill'];
        c.fill();
        c.lineWidth = 1.4;
        c.strokeStyle = colours.accent;
        c.stroke();
    }
    for (const one of words) write(c, scene, one, colours.accent);
}

/** A ring around what is selected or focused, with its name. */
export function drawSelection(c: Canvas, scene: Scene, place: { depth: number; width: number; radius: number }, words: Words | null, warns: boolean) {
    const { frame, colours } = scene;
    const colour = warns ? colours.warn : colours.ink;
    for (const [width, stroke] of [[6.2, colours.halo], [2.2, colour]] as const) {
        c.beginPath();
        c.arc(frame.x(place.width), frame.y(place.depth), place.radius + 5, 0, 2 * Math.PI);
        c.lineWidth = width;
        c.strokeStyle = stroke;
        c.stroke();
    }
    if (words) write(c, scene, words, colour);
}

/** The same parameters on the load line. */
export function drawMove(c: Canvas, scene: Scene, { x0, y0, x1, y1 }: NonNullable<Wanted['move']>, words: Words | null) {
    const { colours } = scene;
    const bow = 0.1 * (y1 > y0 ? 1 : -1);
    c.beginPath();
    c.moveTo(x0, y0);
    c.quadraticCurveTo((x0 + x1) / 2 + (y1 - y0) * bow, (y0 + y1) / 2 - (x1 - x0) * bow, x1, y1);
    c.lineWidth = 1.8;
    c.strokeStyle = colours.warn;
    c.setLineDash([5, 4]);
    c.stroke();
    c.setLineDash([]);
    ring(c, x1, y1, 7, 24, 2, colours.warn, colours.halo, colours['dot-fill']);
    if (words) write(c, scene, words, colours.warn);
}

export function drawCrosshair(c: Canvas, { frame, colours }: Scene, x: number, y: number, words: string) {
    c.globalAlpha = 0.7;
    path(c, [[frame.left, y], [frame.right, y]], 0.8, colours['ink-3'], [3, 3]);
    path(c, [[x, frame.top], [x, frame.bottom]], 0.8, colours['ink-3'], [3, 3]);
    c.globalAlpha = 1;
    text(c, words, frame.right - 10, frame.top + 14, { font: `500 12.5px ${CONDENSED}`, colour: colours.ink, halo: colours.halo, haloWidth: 4, align: 'right' });
}

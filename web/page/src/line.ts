// The load line in the browser, so that the map follows the pointer without asking the server: the formulas of
// plimsoll/advise/load_line.cpp with the constants that the server sends. test/line.test.ts compares both.

export type Constants = readonly [depthPercent: number, depthPower: number, widthPercent: number, widthPower: number];

export interface LoadLine {
    constants: Constants;
    without_one_study: Constants[];
    valley_percent: number;
    tie_percent: number;
    smallest_measured: number;
    largest_measured: number;
}

const LAYER_SQUARES = 12;
const WIDTH_UNIT = 100;
const DEEPEST_EDGE = 1e5;
const HALVINGS = 60;

export const standardSize = (depth: number, width: number) => LAYER_SQUARES * depth * width * width;
export const widthAt = (size: number, depth: number) => Math.sqrt(size / (LAYER_SQUARES * depth));

/** What a shape costs beside an unlimited one, in percent of loss. */
export function shapePercent(c: Constants, depth: number, width: number): number {
    return c[0] * depth ** -c[1] + c[2] * (width / WIDTH_UNIT) ** -c[3];
}

/** The depth of least cost at a size. */
export function bestDepth(c: Constants, size: number): number {
    const widest = widthAt(size, 1) / WIDTH_UNIT;
    const ratio = (2 * c[1] * c[0]) / (c[3] * c[2] * widest ** -c[3]);
    return Math.max(1, ratio ** (1 / (c[1] + c[3] / 2)));
}

/** The depth at which a network of that width has the best depth of its size. */
export function lineDepth(line: LoadLine, width: number): number {
    const c = line.constants;
    const falls = c[3] * c[2] * (width / WIDTH_UNIT) ** -c[3];
    return Math.max(1, ((2 * c[1] * c[0]) / falls) ** (1 / c[1]));
}

/** Percent of loss beside the best depth of the same size. */
export function depthCost(c: Constants, size: number, depth: number): number {
    const best = bestDepth(c, size);
    return shapePercent(c, depth, widthAt(size, depth)) - shapePercent(c, best, widthAt(size, best));
}

// Between `inner`, where `holds`, and `outer`: the depth at which it ends.
function endOf(inner: number, outer: number, holds: (depth: number) => boolean): number {
    if (holds(outer)) return outer;
    let low = Math.log(inner);
    let high = Math.log(outer);
    for (let step = 0; step < HALVINGS; step++) {
        const middle = (low + high) / 2;
        if (holds(Math.exp(middle))) low = middle;
        else high = middle;
    }
    return Math.exp(low);
}

/** Depths of a size that are expected to cost at most valley_percent. */
export function valley(line: LoadLine, size: number): { low: number; best: number; high: number } {
    const best = bestDepth(line.constants, size);
    const inside = (depth: number) => depthCost(line.constants, size, depth) <= line.valley_percent;
    return { best, low: endOf(best, 1, inside), high: endOf(best, DEEPEST_EDGE, inside) };
}

/** The width that a budget affords at a depth: 12 L d^2 + V d = P. */
export function budgetWidth(parameters: number, rows: number, depth: number): number {
    const a = 2 * LAYER_SQUARES * depth;
    return (-rows + Math.sqrt(rows * rows + 2 * a * parameters)) / a;
}

/** The budget on whose line a point lies. */
export function budgetAt(rows: number, depth: number, width: number): number {
    return standardSize(depth, width) + rows * width;
}

const MOST_DEPTH = 256;
const TABLE_SHARE = 0.5;

// The least and the tied depths along a budget line: percent of loss is a valley of one minimum there.
function alongBudget(line: LoadLine, parameters: number, rows: number): { depth: number; width: number } {
    const percent = (depth: number) => shapePercent(line.constants, depth, budgetWidth(parameters, rows, depth));
    let [low, high] = [0, Math.log(MOST_DEPTH)];
    for (let step = 0; step < 40; step++) {
        const [a, b] = [low + (high - low) * 0.382, low + (high - low) * 0.618];
        if (percent(Math.exp(a)) < percent(Math.exp(b))) high = b;
        else low = a;
    }
    const least = Math.exp((low + high) / 2);
    const most = percent(least) + line.tie_percent;
    const depth = Math.sqrt(least * endOf(least, 1, (one) => percent(one) <= most));
    return { depth, width: budgetWidth(parameters, rows, depth) };
}

/**
 * About where the advice for a budget lies, for the time until the engine has answered: between the depth of least loss
 * on the budget line and the least that ties with it, of which the engine takes the widest. A table of `rows` rows
 * that would take more than half of the budget is factorised, at half the width.
 */
export function nearShape(line: LoadLine, parameters: number, rows: number): { depth: number; width: number } {
    const whole = alongBudget(line, parameters, rows);
    return rows * whole.width > TABLE_SHARE * parameters ? alongBudget(line, parameters, rows / 2) : whole;
}

/** The load line as its formula, about width 1 024: layers there, and the power of the width. */
export function lineFormula(line: LoadLine): { layers: string; power: string } {
    const slope = Math.log(lineDepth(line, 4096) / lineDepth(line, 1024)) / Math.log(4);
    return { layers: lineDepth(line, 1024).toFixed(1), power: slope.toFixed(2) };
}

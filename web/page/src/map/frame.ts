// From widths and depths to pixels: both axes logarithmic, depth downward.

export interface Frame {
    left: number; top: number; right: number; bottom: number;
    x(width: number): number;
    y(depth: number): number;
    width(x: number): number;
    depth(y: number): number;
    contains(x: number, y: number): boolean;
}

export const DEPTH_TICKS = [4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128];
export const DEPTH_TICKS_SMALL = [4, 8, 16, 32, 64, 128];
export const WIDTH_TICKS = [128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768];
export const WIDTH_TICKS_SMALL = [128, 512, 2048, 8192, 32768];

export interface Margins { left: number; right: number; top: number; bottom: number }

export function frameOf(size: { width: number; height: number }, margins: Margins, widths: [number, number], depths: [number, number]): Frame {
    const left = margins.left;
    const top = margins.top;
    const right = size.width - margins.right;
    const bottom = size.height - margins.bottom;
    const across = Math.log(widths[1] / widths[0]);
    const down = Math.log(depths[1] / depths[0]);
    return {
        left, top, right, bottom,
        x: (width) => left + ((right - left) * Math.log(width / widths[0])) / across,
        y: (depth) => top + ((bottom - top) * Math.log(depth / depths[0])) / down,
        width: (x) => widths[0] * Math.exp(((x - left) / (right - left)) * across),
        depth: (y) => depths[0] * Math.exp(((y - top) / (bottom - top)) * down),
        contains: (x, y) => x >= left && x <= right && y >= top && y <= bottom,
    };
}

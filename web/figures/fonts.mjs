// IBM Plex out of the fontsource packages: as TrueType for rsvg-convert (which reads no WOFF), and its letters' widths,
// so that Vega lays text out in node as a browser does.
// node fonts.mjs FOLDER: writes the fonts and a fonts.conf there.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { inflateSync } from 'node:zlib';

const require = createRequire(import.meta.url);

// The faces of the figures: package, weight, style.
export const FACES = [
    ['sans', 400, 'normal'],
    ['sans', 500, 'normal'],
    ['sans', 600, 'normal'],
    ['sans-condensed', 400, 'normal'],
    ['sans-condensed', 500, 'normal'],
    ['sans-condensed', 600, 'normal'],
    ['serif', 400, 'italic'],
    ['serif', 500, 'normal'],
    ['mono', 400, 'normal'],
];

// The file of a face, by package, weight, style and kind (woff, woff2).
export function faceFile([face, weight, style], kind) {
    return require.resolve(`@fontsource/ibm-plex-${face}/files/ibm-plex-${face}-latin-${weight}-${style}.${kind}`);
}

// The tables of a WOFF 1.0 file: [{ tag, checksum, data }].
function woffTables(woff) {
    if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new Error('not a WOFF file');
    return Array.from({ length: woff.readUInt16BE(12) }, (_, i) => {
        const at = 44 + 20 * i;
        const [offset, packed, size, checksum] = [4, 8, 12, 16].map((field) => woff.readUInt32BE(at + field));
        const bytes = woff.subarray(offset, offset + packed);
        return { tag: woff.toString('latin1', at, at + 4), checksum, data: packed < size ? inflateSync(bytes) : bytes };
    });
}

// A WOFF 1.0 file as the TrueType or OpenType file it was made of.
export function unpackWoff(woff) {
    const tables = woffTables(woff);
    const power = 2 ** Math.floor(Math.log2(tables.length));
    const header = Buffer.alloc(12 + 16 * tables.length);
    header.writeUInt32BE(woff.readUInt32BE(4), 0);
    [tables.length, 16 * power, Math.log2(power), 16 * (tables.length - power)].forEach((value, i) => header.writeUInt16BE(value, 4 + 2 * i));
    const parts = [header];
    let offset = header.length;
    tables.forEach(({ tag, checksum, data }, i) => {
        header.write(tag, 12 + 16 * i, 'latin1');
        [checksum, offset, data.length].forEach((value, k) => header.writeUInt32BE(value, 16 + 16 * i + 4 * k));
        const padding = (4 - (data.length % 4)) % 4;
        parts.push(data, Buffer.alloc(padding));
        offset += data.length + padding;
    });
    return Buffer.concat(parts);
}

// The letters of a format 4 cmap: code point -> glyph.
function glyphsOf(cmap) {
    const glyphs = new Map();
    const records = Array.from({ length: cmap.readUInt16BE(2) }, (_, i) => cmap.readUInt32BE(8 + 8 * i));
    const at = records.find((offset) => cmap.readUInt16BE(offset) === 4);
    const count = cmap.readUInt16BE(at + 6) / 2;
    const field = (block, i) => at + 14 + 2 * (block * count + i) + (block > 0 ? 2 : 0);
    for (let i = 0; i < count; i++) {
        const [end, start, delta, range] = [0, 1, 2, 3].map((block) => cmap.readUInt16BE(field(block, i)));
        for (let code = start; code <= end && code < 0xffff; code++) {
            const found = range === 0 ? code : cmap.readUInt16BE(field(3, i) + range + 2 * (code - start));
            if (range === 0 || found !== 0) glyphs.set(code, (found + delta) & 0xffff);
        }
    }
    return glyphs;
}

// Code point -> width in units of the font size, of a face.
export function letterWidths(face) {
    const tables = Object.fromEntries(woffTables(readFileSync(faceFile(face, 'woff'))).map(({ tag, data }) => [tag, data]));
    const unitsPerEm = tables.head.readUInt16BE(18);
    const metrics = tables.hhea.readUInt16BE(34);
    const widthOf = (glyph) => tables.hmtx.readUInt16BE(4 * Math.min(glyph, metrics - 1)) / unitsPerEm;
    return new Map([...glyphsOf(tables.cmap)].map(([code, glyph]) => [code, widthOf(glyph)]));
}

// Fontsource names each weight a family of its own; here they are weights of one family again.
function weightRule([face, weight, style]) {
    const family = 'IBM Plex ' + face.split('-').map((word) => word[0].toUpperCase() + word.slice(1)).join(' ');
    const names = { 400: 'regular', 500: 'medium', 600: 'semibold' };
    return `  <match target="scan">
    <test name="file" compare="contains"><string>ibm-plex-${face}-latin-${weight}-${style}.ttf</string></test>
    <edit name="family" mode="assign"><string>${family}</string></edit>
    <edit name="weight" mode="assign"><const>${names[weight]}</const></edit>
  </match>
`;
}

// Fontconfig's settings: our fonts, then the system's. The cache has a whole path: a relative one would be
// taken from wherever the program is started.
function configuration(folder) {
    const cache = path.resolve(folder, 'cache').replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">.</dir>
  <cachedir>${cache}</cachedir>
${FACES.map(weightRule).join('')}  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
</fontconfig>
`;
}

function writeFonts(folder) {
    mkdirSync(folder, { recursive: true });
    for (const face of FACES) {
        const woff = faceFile(face, 'woff');
        writeFileSync(path.join(folder, path.basename(woff, '.woff') + '.ttf'), unpackWoff(readFileSync(woff)));
    }
    writeFileSync(path.join(folder, 'fonts.conf'), configuration(folder));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) writeFonts(process.argv[2]);

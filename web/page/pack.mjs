// node pack.mjs: dist/ as one file, dist/page.pack, for the binary: a line of JSON (path, type, tag, where the bytes are),
// then the bytes, each file also compressed where that is smaller.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const folder = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), 'dist');
const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.woff2': 'font/woff2', '.svg': 'image/svg+xml', '.png': 'image/png' };

const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.pack') && !entry.name.startsWith('.'))
    .map((entry) => path.relative(folder, path.join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
const index = [];
const bytes = [];
let offset = 0;
function append(data) {
    bytes.push(data);
    offset += data.length;
    return offset - data.length;
}
for (const name of files) {
    const type = TYPES[path.extname(name)];
    if (!type) throw new Error(`${name}: of no known type`);
    const data = readFileSync(path.join(folder, name));
    const packed = type.startsWith('font/') ? data : gzipSync(data, { level: 9 });
    const entry = { path: name === 'index.html' ? '/' : `/${name.replaceAll(path.sep, '/')}`, type, tag: `"${createHash('sha256').update(data).digest('hex').slice(0, 16)}"`, offset: append(data), size: data.length };
    if (packed.length < data.length) Object.assign(entry, { gzip_offset: append(packed), gzip_size: packed.length });
    index.push(entry);
}
writeFileSync(path.join(folder, 'page.pack'), Buffer.concat([Buffer.from(`${JSON.stringify(index)}\n`), ...bytes]));
const first = index.filter(({ type }) => !type.startsWith('font/')).reduce((sum, { gzip_size, size }) => sum + (gzip_size ?? size), 0);
console.log(`page.pack: ${index.length} files, ${offset} bytes, ${first} of them compressed without fonts`);

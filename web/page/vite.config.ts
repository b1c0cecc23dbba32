import { defineConfig } from 'vite';

// A page on disk may not load modules: one classic script, no crossorigin.
const classic = {
    name: 'classic-script',
    transformIndexHtml: { order: 'post' as const, handler: (html: string) => html.replace('type="module" crossorigin', 'defer').replace('rel="stylesheet" crossorigin', 'rel="stylesheet"') },
};

// One script, one style and the fonts, by names that do not change: the server tells versions apart by tags.
export default defineConfig({
    base: './',
    plugins: [classic],
    build: {
        target: 'es2022',
        cssCodeSplit: false, // otherwise the script would carry the style, which the page's policy forbids
        modulePreload: false,
        assetsInlineLimit: 0,
        rollupOptions: {
            output: {
                format: 'iife',
                entryFileNames: 'page.js',
                assetFileNames: (asset) => (asset.names[0]?.endsWith('.css') ? 'page.css' : 'fonts/[name][extname]'),
            },
        },
    },
    test: { include: ['test/*.test.ts'], environment: 'node' },
} as never);

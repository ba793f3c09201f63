import { join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { compressed } from './build/compressed.ts';
import { oneLanguage } from './build/one-language.ts';
import { entry, shell } from './build/shell.ts';
import { words } from './build/words.ts';

/** The API that the development server passes requests to. */
const api = 'http://127.0.0.1:8000';

const scripts = /\.(tsx?|m?js)$|^\0/;

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  html: { cspNonce: 'PARLANCE_NONCE' },
  plugins: [words(), oneLanguage(), shell(), tailwindcss(), compressed()],
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The console's measures of size read it (tools/bench).
    manifest: true,
    rolldownOptions: {
      input: [join(import.meta.dirname, 'index.html'), entry],
      checks: { moduleLevelDirective: false },
      output: {
        chunkFileNames: ({ name }) => `assets/${name.replace(/~.*/, '')}-[hash].js`,
        codeSplitting: {
          groups: [
            { name: 'first', test: /\/src\/main\.ts$/, priority: 2 },
            { name: 'shell', test: scripts, tags: ['$initial'], priority: 1 },
            // Each of these would tie files together that have nothing else in common: icons are in every room, and
            // the layout of graphs is loaded on demand.
            { name: 'icons', test: /\/lucide-react\/dist\/esm\/icons\//, minShareCount: 2, priority: 1 },
            { name: 'layout', test: /\/node_modules\/@dagrejs\//, priority: 1 },
            // Few files: each request costs a slow processor time.
            {
              name: 'shared',
              test: scripts,
              minShareCount: 2,
              entriesAware: true,
              // Larger ones bring a room much that it does not need.
              entriesAwareMergeThreshold: 6000,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': { target: api, ws: true } } },
});

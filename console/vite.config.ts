import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { compressed } from './build/compressed.ts';
import { oneLanguage } from './build/one-language.ts';
import { words } from './build/words.ts';

/** The API that the development server passes requests to. */
const api = 'http://127.0.0.1:8000';

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  html: { cspNonce: 'PARLANCE_NONCE' },
  plugins: [words(), oneLanguage(), tailwindcss(), compressed()],
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
  server: { proxy: { '/api': { target: api, ws: true } } },
});

import { compileMessage } from '@lingui/message-utils/compileMessage';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import { compressed } from './build/compressed.ts';

/** Compiles the words of `locales/*.json` (ICU) when the console is built, so that the browser needs no compiler. */
function words(): Plugin {
  return {
    name: 'words',
    enforce: 'pre',
    transform(text, id) {
      if (!/\/locales\/[^/]+\/[^/]+\.json$/.test(id)) return null;
      const messages: Record<string, string> = JSON.parse(text) as Record<string, string>;
      const compiled = Object.entries(messages).map(([key, message]) => [key, compileMessage(message)]);
      return { code: JSON.stringify(Object.fromEntries(compiled)), map: null };
    },
  };
}

/** The API that the development server passes requests to. */
const api = 'http://127.0.0.1:8000';

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  html: { cspNonce: 'PARLANCE_NONCE' },
  plugins: [words(), tailwindcss(), compressed()],
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

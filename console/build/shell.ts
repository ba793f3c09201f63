import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Imports the code that every room needs. */
export const entry = join(import.meta.dirname, '../src/console.tsx');

/** Names the file of that code in index.html, so that it loads beside the small first script. */
export function shell(): Plugin {
  return {
    name: 'shell',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) =>
        Object.values(bundle)
          .filter((file) => file.type === 'chunk' && file.moduleIds.includes(entry))
          .map(({ fileName }) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href: `./${fileName}` },
            injectTo: 'head',
          })),
    },
  };
}

import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import type { Plugin } from 'vite';

const sources = join(import.meta.dirname, '../src');
const folder = join(sources, 'locales/en');
const prefix = 'words:';

/**
 * The words of `locales/en` (ICU), compiled, so that the browser needs no compiler. Each module loads the files
 * whose words it names, so that the words of a room come with the room. The build fails if a module names words
 * that are in no file.
 */
export function words(): Plugin {
  const ids = new Set<string>();
  /** The file of each first part of an id, without its ending. */
  const rooms = new Map<string, string>();
  return {
    name: 'words',
    enforce: 'pre',
    buildStart() {
      for (const file of readdirSync(folder))
        for (const id of Object.keys(read(file))) {
          ids.add(id);
          rooms.set(id.slice(0, id.indexOf('.')), basename(file, '.json'));
        }
    },
    resolveId: {
      filter: { id: /^words:/ },
      handler: (name) => `\0${name}`,
    },
    load: {
      filter: { id: /^\0words:/ },
      handler(name) {
        const file = `${name.slice(prefix.length + 1)}.json`;
        this.addWatchFile(join(folder, file));
        const compiled = Object.entries(read(file)).map(([id, message]) => [id, compileMessage(message)]);
        return [
          `import { addWords } from ${JSON.stringify(join(sources, 'app/words.ts'))};`,
          `addWords(${JSON.stringify(Object.fromEntries(compiled))});`,
        ].join('\n');
      },
    },
    transform: {
      filter: { id: { include: /\/console\/src\/.+\.tsx?$/, exclude: /\/app\/words\.ts$/ } },
      handler(text) {
        const missing = [...text.matchAll(/\bt\(\s*'([^']+)'/g)].find(([, id = '']) => !ids.has(id));
        if (missing !== undefined) this.error(`There are no words for ${missing[1]}: add them to ${folder}`);
        const named = [...text.matchAll(/['`]([a-zA-Z]+)\./g)].map(([, first = '']) => rooms.get(first));
        const imports = [...new Set(named)].flatMap((room) =>
          room === undefined ? [] : `import '${prefix}${room}';`,
        );
        return imports.length === 0 ? null : { code: `${imports.join(' ')} ${text}`, map: null };
      },
    },
  };
}

const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, string>;

import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { root } from '../../../test/support/process.ts';

/** Most bytes, gzip. */
export const sizeLimits = { shell: 240_000, editor: 200_000 };

const built = join(root, 'dist', 'console');

const Manifest = z.record(
  z.string(),
  z.looseObject({
    file: z.string(),
    imports: z.array(z.string()).default([]),
    css: z.array(z.string()).default([]),
  }),
);

export interface ConsoleSizes {
  shell: number;
  editor: number;
  promptEditor: number;
}

/**
 * Scripts and styles that the build links: those that every page loads, those that the editor loads beside them
 * before it shows a graph, and those that its field for prompts loads later.
 */
export function consoleSizes(): ConsoleSizes {
  const manifest = Manifest.parse(JSON.parse(readFileSync(join(built, '.vite', 'manifest.json'), 'utf8')));
  const counted = new Set<string>();
  /** The bytes of what these modules load and no earlier ones did. */
  const bytesOf = (...modules: string[]): number => {
    const seen = new Set(modules);
    for (const name of seen) for (const each of manifest[name]?.imports ?? []) seen.add(each);
    const files = new Set(
      [...seen].flatMap((name) => {
        const found = manifest[name];
        if (found === undefined) throw new Error(`The build of the console has no ${name}`);
        return [found.file, ...found.css];
      }),
    );
    const fresh = [...files].filter((file) => !counted.has(file));
    for (const file of fresh) counted.add(file);
    return fresh.reduce((total, file) => total + compressedBytes(file), 0);
  };
  return {
    shell: bytesOf('src/console.tsx'),
    editor: bytesOf('src/screens/editor/editor.tsx', 'src/screens/editor/canvas.tsx'),
    promptEditor: bytesOf('src/screens/editor/prompt-editor.tsx'),
  };
}

/** Files of a few hundred bytes are not compressed. */
function compressedBytes(file: string): number {
  const path = join(built, file);
  return statSync(existsSync(`${path}.gz`) ? `${path}.gz` : path).size;
}

import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { run } from './command.mjs';
import { root, statePath } from './project.mjs';
import { failureOf } from './report.mjs';

/** What `npm start` runs, and what tests start most: dozens of times each. */
export const entries = [
  'src/api/main.ts',
  'src/worker/main.ts',
  'src/media/main.ts',
  'emulators/main.ts',
  'emulators/carrier/main.ts',
  'emulators/llm/main.ts',
  'emulators/stt/main.ts',
  'emulators/tts/main.ts',
];

/** Packages of hundreds of plain modules; all others are loaded from where they are installed. */
const insidePackages = ['openai', 'telnyx', 'zod'];

const isOurs = (id) => /^[./]/.test(id);
const packageOf = (id) => /^(?:@[^/]+\/)?[^/]+/.exec(id)?.[0];

/** A module in the bundle still finds the files beside its source. */
const placeOfSource = {
  name: 'place of the source',
  transform(code, id) {
    if (!code.includes('import.meta.')) return null;
    return code
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)));
  },
};

/**
 * Bundles the roles and the emulators to `out`, one file for each entry under its own path, as `.mjs`: a process that
 * reads two thousand modules takes twice as long to start. Takes about a second.
 */
export async function bundleRoles(out) {
  const { build } = await import('rolldown');
  await build({
    input: Object.fromEntries(entries.map((file) => [file.replace(/\.ts$/, ''), join(root, file)])),
    cwd: root,
    platform: 'node',
    tsconfig: false,
    logLevel: 'warn',
    external: (id) => !isOurs(id) && !insidePackages.includes(packageOf(id)),
    plugins: [placeOfSource],
    output: {
      dir: out,
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: 'shared/[name]-[hash].mjs',
      keepNames: true, // errors and events are known by the names of their classes
    },
  });
}

const ownFolder = statePath('roles');
const bundler = join(root, 'tools', 'bootstrap', 'bundle-roles-main.mjs');

/** The bundle of a role of `npm start`. */
export const bundleOf = (file) => join(ownFolder, file.replace(/\.ts$/, '.mjs'));

/**
 * Bundles the roles for `npm start`, in a process of its own, because the bundler's memory is never released. Node
 * keeps the source of each module and, once it has read TypeScript, the compiler: a role from its bundle takes a
 * quarter less memory.
 */
export async function bundleOwnRoles() {
  rmSync(ownFolder, { recursive: true, force: true });
  const { code, output } = await run(process.execPath, [bundler, ownFolder], {
    cwd: root,
    timeoutMs: 120_000,
  });
  if (code !== 0) throw failureOf('The roles could not be bundled', 'fix the cause above', output);
}

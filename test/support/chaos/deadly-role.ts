/**
 * A role of src with programmed deaths: CHAOS_MAIN is its main file. The process kills itself with SIGKILL at
 * the first of CHAOS_POINTS (death.ts) that it reaches (campaign-points.ts).
 */
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { root } from '../process.ts';
import { deathsIn } from './campaign-points.ts';
import { death } from './death.ts';

Reflect.set(globalThis, 'dies', death());

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const changes = deathsIn(url);
    if (changes.length === 0 || loaded.source === undefined || loaded.source === null) return loaded;
    let source = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source);
    for (const { file, from, to } of changes) {
      const parts = source.split(from);
      if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} places like: ${from}`);
      source = parts.join(to);
    }
    return { ...loaded, source };
  },
});
await import(join(root, process.env['CHAOS_MAIN'] ?? ''));

/**
 * src/worker/main.ts on a bundle of Workflows that was built before, as in an image: CHAOS_BUNDLE is its
 * file. It starts in a fraction of the time, and its code may be a later release's.
 */
import { registerHooks } from 'node:module';

const codePath = JSON.stringify(process.env['CHAOS_BUNDLE']);

registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith('/src/worker/bundle.ts')) return nextLoad(url, context);
    return {
      format: 'module',
      shortCircuit: true,
      source: `export async function loadWorkflowBundle() { return { codePath: ${codePath} }; }`,
    };
  },
});
await import('../../../src/worker/main.ts');

/**
 * src/worker/main.ts with a prebuilt bundle of Workflows, as in an image: CHAOS_BUNDLE is its file. It starts
 * much faster, and its code may be that of a later release.
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

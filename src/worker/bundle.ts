import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, type WorkflowBundleOption } from '@temporalio/worker';
import type { Logger } from '../runtime/logger.ts';

/** Written by a build step of an image; when it is there, no bundling happens at start. */
export const prebuiltBundle = fileURLToPath(new URL('../../dist/workflow-bundle.js', import.meta.url));

/** What goes into the script. The interceptors are always in it, so that a history replays with and without tracing. */
export const bundled = {
  workflowsPath: fileURLToPath(new URL('../workflows/index.ts', import.meta.url)),
  workflowInterceptorModules: [fileURLToPath(new URL('../workflows/tracing.ts', import.meta.url))],
};

/**
 * The Workflows as one script for Temporal's sandbox: built once per process and shared by its workers. A failure converter
 * becomes part of the script, so that the prebuilt one, which has none, does not serve then.
 */
export async function loadWorkflowBundle(log: Logger, { failureConverterPath }: { failureConverterPath?: string | undefined } = {}): Promise<WorkflowBundleOption> {
  if (failureConverterPath === undefined && existsSync(prebuiltBundle)) return { codePath: prebuiltBundle };
  return await bundleWorkflowCode({
    ...bundled,
    ...(failureConverterPath === undefined ? {} : { failureConverterPath }),
    logger: { log: () => undefined, trace: () => undefined, debug: () => undefined, info: () => undefined, warn: (message) => log.warn({ message }, 'Workflow bundler warned'), error: (message) => log.error({ message }, 'Workflow bundler failed') },
  });
}

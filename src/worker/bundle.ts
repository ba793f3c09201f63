import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, type WorkflowBundleOption } from '@temporalio/worker';
import type { Logger } from '../runtime/logger.ts';

/** Written by a build step of an image; when it is there, no bundling happens at start. */
export const prebuiltBundle = fileURLToPath(new URL('../../dist/workflow-bundle.js', import.meta.url));

const workflowsPath = fileURLToPath(new URL('../workflows/index.ts', import.meta.url));

/** The Workflows as one script for Temporal's sandbox: built once per process and shared by its workers. */
export async function loadWorkflowBundle(log: Logger): Promise<WorkflowBundleOption> {
  if (existsSync(prebuiltBundle)) return { codePath: prebuiltBundle };
  return await bundleWorkflowCode({
    workflowsPath,
    logger: { log: () => undefined, trace: () => undefined, debug: () => undefined, info: () => undefined, warn: (message) => log.warn({ message }, 'Workflow bundler warned'), error: (message) => log.error({ message }, 'Workflow bundler failed') },
  });
}

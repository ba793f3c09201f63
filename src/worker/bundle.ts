import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { WorkflowBundleOption } from '@temporalio/worker';
import type { Logger } from '../runtime/logger.ts';

/**
 * Content of the script. It always contains the interceptors, so that a history replays with and without
 * tracing.
 */
export const bundled = {
  workflowsPath: fileURLToPath(new URL('../workflows/index.ts', import.meta.url)),
  workflowInterceptorModules: [fileURLToPath(new URL('../workflows/tracing.ts', import.meta.url))],
};

const bundler = fileURLToPath(new URL('bundle-main.ts', import.meta.url));
/** Bundling takes seconds on an idle machine, and longer when many workers start at once. */
const limitMs = 180_000;
/** Larger output is not our bundle. */
const maxBytes = 64 * 1024 * 1024;

export interface BundleOptions {
  /** File of a prebuilt script (PARLANCE_WORKFLOW_BUNDLE). */
  prebuilt?: string | undefined;
  /** Part of the script; the prebuilt script has none and is not used then. */
  failureConverterPath?: string | undefined;
  /** Aborts the bundling. */
  signal?: AbortSignal;
}

/**
 * The Workflows as one script for Temporal's sandbox, built once per process and shared by its workers. A
 * short-lived process builds it, because a worker would never release the bundler's memory.
 */
export async function loadWorkflowBundle(
  log: Pick<Logger, 'warn'>,
  { prebuilt, failureConverterPath, signal }: BundleOptions = {},
): Promise<WorkflowBundleOption> {
  if (failureConverterPath === undefined && prebuilt !== undefined) {
    if (existsSync(prebuilt)) return { codePath: prebuilt };
    throw new Error(
      `PARLANCE_WORKFLOW_BUNDLE: ${prebuilt} does not exist. Build it with \`node src/worker/bundle-main.ts > ${prebuilt}\`, or unset the variable`,
    );
  }
  const args = [
    '--disable-warning=ExperimentalWarning',
    bundler,
    ...(failureConverterPath === undefined ? [] : [failureConverterPath]),
  ];
  const { stdout: code, stderr: warnings } = await promisify(execFile)(process.execPath, args, {
    timeout: limitMs,
    maxBuffer: maxBytes,
    ...(signal === undefined ? {} : { signal }),
  });
  if (warnings.trim() !== '') log.warn({ warnings: warnings.trim() }, 'Warnings of the Workflow bundler');
  return { code };
}

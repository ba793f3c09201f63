import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { WorkflowBundleOption } from '@temporalio/worker';
import type { Logger } from '../runtime/logger.ts';

/** Written by a build step of an image; when it is there, no bundling happens at start. */
export const prebuiltBundle = fileURLToPath(new URL('../../dist/workflow-bundle.js', import.meta.url));

/**
 * What goes into the script. The interceptors are always in it, so that a history replays with and without
 * tracing.
 */
export const bundled = {
  workflowsPath: fileURLToPath(new URL('../workflows/index.ts', import.meta.url)),
  workflowInterceptorModules: [fileURLToPath(new URL('../workflows/tracing.ts', import.meta.url))],
};

const bundler = fileURLToPath(new URL('bundle-main.ts', import.meta.url));
/** Seconds on an idle machine; many workers that start at once share the processor. */
const limitMs = 180_000;
/** A script of more is not ours. */
const maxBytes = 64 * 1024 * 1024;

export interface BundleOptions {
  /** It becomes part of the script, so that the prebuilt one, which has none, does not serve then. */
  failureConverterPath?: string | undefined;
  /** Ends the bundling. */
  signal?: AbortSignal;
}

/**
 * The Workflows as one script for Temporal's sandbox: built once per process and shared by its workers. A
 * short process of its own builds it: the memory that the bundler takes would stay with the worker for good.
 */
export async function loadWorkflowBundle(
  log: Pick<Logger, 'warn'>,
  { failureConverterPath, signal }: BundleOptions = {},
): Promise<WorkflowBundleOption> {
  if (failureConverterPath === undefined && existsSync(prebuiltBundle)) return { codePath: prebuiltBundle };
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
  if (warnings.trim() !== '') log.warn({ warnings: warnings.trim() }, 'Workflow bundler warned');
  return { code };
}

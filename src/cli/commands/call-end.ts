import { setTimeout as wait } from 'node:timers/promises';
import type { WorkflowRun } from '../../contract/calls.ts';
import { extractedOf, type SessionRef } from '../remote/calls.ts';
import type { CliContext } from '../context.ts';
import { InterruptedError } from '../failures.ts';
import { valueLines } from '../output/event-line.ts';
import { oneLine } from '../output/terminal.ts';

/**
 * Maximum time until the record of an ended call is complete. Extractions get 30 s, and workers may be busy.
 */
const completionLimitMs = 90_000;

/** Waits for the complete record of an ended call. Returns null after a timeout. */
export async function completedRun(
  { calls, signal }: CliContext,
  call: SessionRef,
): Promise<WorkflowRun | null> {
  const deadline = Date.now() + completionLimitMs;
  for (let delayMs = 200; Date.now() < deadline; delayMs = Math.min(delayMs * 1.5, 2000)) {
    const run = await calls.get(call);
    if (run.is_completed) return run;
    await pause(delayMs, signal);
  }
  return null;
}

/** Waits. Throws InterruptedError on Ctrl-C. */
export async function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  await wait(delayMs, undefined, { signal }).catch(() => {
    throw new InterruptedError();
  });
}

/** The outcome of a call: the last value of `chat` and `runs tail`. */
export const endValue = (run: WorkflowRun) => ({
  type: 'end',
  run_id: run.id,
  disposition: run.disposition,
  call_duration_seconds: run.call_duration_seconds,
  extracted_variables: extractedOf(run),
});

/** The outcome of a call for people. */
export function endLines(run: WorkflowRun): string[] {
  const values = valueLines(extractedOf(run));
  return [
    `Call ${run.id} has ended: ${oneLine(run.disposition ?? 'no disposition')}, ${run.call_duration_seconds ?? 0} s`,
    ...(values.length === 0 ? [] : ['Extracted:', ...values]),
  ];
}

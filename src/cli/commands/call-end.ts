import { setTimeout as wait } from 'node:timers/promises';
import type { WorkflowRun } from '../../contract/calls.ts';
import { extractedOf, type SessionRef } from '../remote/calls.ts';
import type { CliContext } from '../context.ts';
import { InterruptedError } from '../failures.ts';
import { valueLines } from '../output/event-line.ts';
import { oneLine } from '../output/terminal.ts';

/** How long the record of a call that is over may take: extractions get 30 s, and workers may be busy. */
const completionLimitMs = 90_000;

/** The record of a call that has ended; null when it is not complete in time. */
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

/** Throws InterruptedError on Ctrl-C. */
export async function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  await wait(delayMs, undefined, { signal }).catch(() => {
    throw new InterruptedError();
  });
}

/** What a call came to, as the last value of `chat` and `runs tail`. */
export const endValue = (run: WorkflowRun) => ({
  type: 'end',
  run_id: run.id,
  disposition: run.disposition,
  call_duration_seconds: run.call_duration_seconds,
  extracted_variables: extractedOf(run),
});

/** The same for people. */
export function endLines(run: WorkflowRun): string[] {
  const values = valueLines(extractedOf(run));
  return [
    `Call ${run.id} has ended: ${oneLine(run.disposition ?? 'no disposition')}, ${run.call_duration_seconds ?? 0} s`,
    ...(values.length === 0 ? [] : ['Extracted:', ...values]),
  ];
}

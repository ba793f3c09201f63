import { Context } from '@temporalio/activity';
import { CancelledFailure } from '@temporalio/common';
import { AppError, ProviderError } from '../domain/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import { guarded } from '../runtime/guarded.ts';
import { translateUnavailable } from '../services/kernel/index.ts';
import { lastFailure, toApplicationFailure, type FailureIds } from './failure.ts';

/**
 * Attempts of a long activity:
 *
 * A1. The activity heartbeats from its start, at a third of its heartbeat timeout, so that a dead worker is
 * detected.
 *
 * A2. Faults of a provider and unexpected faults are counted in the heartbeat details, which the next attempt
 * reads: the third one is final. Temporal's own count would include dead workers and an unavailable database,
 * which are not the provider's fault.
 *
 * A3. A provider that asks for a pause gets it, up to `maxPauseMs`. A provider that asks for a longer one is
 * not asked again.
 *
 * A4. The signal is aborted when the activity is cancelled or its worker stops. The result is then discarded.
 */
const maxFailures = 3;

/** Maximum pause while a person waits for the answer. */
const maxConversationPauseMs = 5000;

export interface AttemptOptions {
  log: Logger;
  ids: FailureIds;
}

/** Runs the work of a long activity. Throws its errors as ApplicationFailures. */
export async function withAttempts<T>(
  { log, ids, maxPauseMs = maxConversationPauseMs }: AttemptOptions & { maxPauseMs?: number },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const context = Context.current();
  const failures = failuresIn(context.info.heartbeatDetails);
  const beat = () => context.heartbeat({ failures });
  const timer = setInterval(
    guarded(beat, () => undefined), // the next one follows
    Math.max(100, (context.info.heartbeatTimeoutMs ?? 3000) / 3),
  );
  try {
    beat();
    return await work(context.cancellationSignal);
  } catch (error) {
    if (context.cancellationSignal.aborted) throw cancellation(context.cancellationSignal);
    if (!isCounted(error)) throw translate({ log, ids }, error);
    context.heartbeat({ failures: failures + 1 });
    const failure = translate({ log, ids }, error);
    const asksForMore = error instanceof ProviderError && (error.retryAfterMs ?? 0) > maxPauseMs;
    throw asksForMore || failures + 1 >= maxFailures ? lastFailure(failure, failures + 1) : failure;
  } finally {
    clearInterval(timer);
  }
}

/** Runs the work of a short activity. Throws its errors as ApplicationFailures. */
export async function translated<T>(options: AttemptOptions, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw translate(options, error);
  }
}

function translate({ log, ids }: AttemptOptions, error: unknown): Error {
  const failure = toApplicationFailure(error, ids);
  // Only this log has the whole unexpected error. Its text may hold personal data, its stack trace never
  // does.
  if (!isKnown(error))
    log.error(
      {
        ...ids,
        error: error instanceof Error ? error.name : typeof error,
        at: placeOf(error),
        pii: { error },
      },
      'Activity failed unexpectedly',
    );
  return failure;
}

function isCounted(error: unknown): boolean {
  return error instanceof ProviderError || !isKnown(error);
}

function isKnown(raised: unknown): boolean {
  const error = translateUnavailable(raised);
  return error instanceof AppError || error instanceof CancelledFailure;
}

function cancellation(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new CancelledFailure('the activity was cancelled');
}

function placeOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  return (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 8)
    .map((line) => line.trim());
}

function failuresIn(details: unknown): number {
  const failures =
    typeof details === 'object' && details !== null && 'failures' in details ? details.failures : 0;
  return typeof failures === 'number' ? failures : 0;
}

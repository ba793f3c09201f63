import { describe, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { pino } from 'pino';
import { toApplicationFailure } from '../../src/activities/failure.ts';
import { withAttempts } from '../../src/activities/attempts.ts';
import {
  AppError,
  ConflictError,
  errorCodes,
  InvariantError,
  LimitError,
  NotFoundError,
  ProviderError,
  UnavailableError,
  type ErrorCode,
} from '../../src/domain/errors.ts';
import { silentLogger } from '../support/quiet.ts';

const retried: Record<ErrorCode, boolean> = {
  validation: false,
  unauthenticated: false,
  code_needed: false,
  forbidden: false,
  not_found: false,
  conflict: false,
  precondition: false,
  limit: true,
  provider: true,
  unavailable: true,
  invariant: false,
};

function errorOf(code: ErrorCode): AppError {
  if (code === 'limit') return new LimitError('Too many', { retryAfterMs: 1234 });
  if (code === 'provider') return new ProviderError('The model failed', { provider: 'llm', retryable: true });
  if (code === 'unavailable') return new UnavailableError('MySQL is not available', { dependency: 'mysql' });
  return new AppError(code, 'It is so');
}

const failureOf = (error: unknown): ApplicationFailure => {
  const failure = toApplicationFailure(error, { callId: 7 });
  if (!(failure instanceof ApplicationFailure)) throw new Error('not an ApplicationFailure');
  return failure;
};

describe('an error at the Temporal boundary', () => {
  test.each(errorCodes)(
    '%s keeps its code as the type, its message and its ids, and is retried only where a retry can help',
    (code) => {
      const failure = failureOf(errorOf(code));
      expect(failure).toMatchObject({
        type: code,
        nonRetryable: !retried[code],
        details: [expect.objectContaining({ callId: 7 })],
      });
      expect(failure.message).toMatch(new RegExp(`^${code}: `));
    },
  );

  test('retries a limit after the time that it names, and does not retry a provider fault that is not retryable', () => {
    expect(failureOf(errorOf('limit')).nextRetryDelay).toBe(1234);
    expect(failureOf(new ProviderError('Bad key', { provider: 'llm', retryable: false })).nonRetryable).toBe(
      true,
    );
  });

  test('retries an unexpected error and hides its text, which may contain personal data', () => {
    const failure = failureOf(new TypeError('cannot read "my secret words"'));
    expect(failure).toMatchObject({ type: 'unexpected', nonRetryable: false });
    expect(JSON.stringify([failure.message, failure.details, failure.cause])).not.toContain('secret');
  });

  test('reports an unavailable MySQL as unavailable, whatever error the driver throws', () => {
    expect(
      failureOf(
        Object.assign(new Error('Connection lost: The server closed the connection.'), {
          code: 'PROTOCOL_CONNECTION_LOST',
        }),
      ),
    ).toMatchObject({ type: 'unavailable', nonRetryable: false });
  });

  test('passes a cancellation unchanged', () => {
    const cancelled = new CancelledFailure('canceled');
    expect(toApplicationFailure(cancelled)).toBe(cancelled);
  });
});

describe('attempts of a long activity', () => {
  const log = pino({ level: 'silent' });
  const provider = () => new ProviderError('The model failed', { provider: 'llm', retryable: true });

  /**
   * Runs one attempt after the given number of counted failures. Returns its failure and the count that the
   * next attempt reads.
   */
  async function attempt(
    failures: number | null,
    error: () => unknown,
    options: { maxPauseMs?: number } = {},
  ) {
    const beats: unknown[] = [];
    const environment = new MockActivityEnvironment(
      { heartbeatDetails: failures === null ? undefined : { failures } },
      { logger: silentLogger },
    );
    environment.on('heartbeat', (details: unknown) => beats.push(details));
    const failure: unknown = await environment
      .run(() => withAttempts({ log, ids: { callId: 7 }, ...options }, () => Promise.reject(error())))
      .catch((thrown: unknown) => thrown);
    return { failure, last: beats.at(-1), beats };
  }

  test('the third failure of a provider is final, and its message says so', async () => {
    expect(await attempt(null, provider)).toMatchObject({
      last: { failures: 1 },
      failure: { type: 'provider', nonRetryable: false },
    });
    expect(await attempt(1, provider)).toMatchObject({
      last: { failures: 2 },
      failure: { nonRetryable: false },
    });
    expect(await attempt(2, provider)).toMatchObject({
      last: { failures: 3 },
      failure: {
        type: 'provider',
        nonRetryable: true,
        message: expect.stringContaining('3 failures, given up'),
      },
    });
  });

  test('a provider gets the pause that it asks for, unless the pause is longer than the maximum: then the failure is final', async () => {
    const asksFor = (retryAfterMs: number) => () =>
      new ProviderError('The model is busy', { provider: 'llm', retryable: true, retryAfterMs });
    expect(await attempt(null, asksFor(5000))).toMatchObject({
      failure: { nonRetryable: false, nextRetryDelay: 5000 },
    });
    expect(await attempt(null, asksFor(5001))).toMatchObject({
      failure: {
        type: 'provider',
        nonRetryable: true,
        message: expect.stringContaining('(1 failure, given up)'),
      },
    });
    expect(await attempt(null, asksFor(0))).toMatchObject({
      failure: { nonRetryable: false, nextRetryDelay: undefined },
    });
    expect(await attempt(null, asksFor(20_000), { maxPauseMs: 20_000 })).toMatchObject({
      failure: { nonRetryable: false, nextRetryDelay: 20_000 },
    });
  });

  test('an unexpected fault counts as a failure, too', async () => {
    expect(await attempt(2, () => new TypeError('bug'))).toMatchObject({
      failure: { type: 'unexpected', nonRetryable: true },
    });
  });

  test('an unavailable MySQL never counts as a failure', async () => {
    expect(
      await attempt(2, () => new UnavailableError('MySQL is not available', { dependency: 'mysql' })),
    ).toMatchObject({ last: { failures: 2 }, failure: { type: 'unavailable', nonRetryable: false } });
    expect(
      await attempt(2, () => Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })),
    ).toMatchObject({ last: { failures: 2 }, failure: { type: 'unavailable' } });
  });

  test('errors that no retry can fix are final at once and are not counted', async () => {
    for (const error of [new NotFoundError('Gone'), new ConflictError('Taken'), new InvariantError('Bug')]) {
      expect(await attempt(null, () => error)).toMatchObject({
        last: { failures: 0 },
        failure: { nonRetryable: true },
      });
    }
  });

  test('heartbeats begin at the start of the attempt', async () => {
    const { beats } = await attempt(null, () => new NotFoundError('Gone'));
    expect(beats[0]).toEqual({ failures: 0 });
  });

  test('a canceled attempt ends as canceled, whatever error the work throws', async () => {
    const environment = new MockActivityEnvironment({}, { logger: silentLogger });
    const work = (signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(provider()), { once: true });
      });
    const running = environment.run(() => withAttempts({ log, ids: {} }, work));
    environment.cancel();
    await expect(running).rejects.toBeInstanceOf(CancelledFailure);
  });
});

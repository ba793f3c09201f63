import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'telnyx';
import { z } from 'zod';
import { readRetryAfter } from '../../../domain/delivery/retry-after.ts';
import type { ProviderFailureReason } from '../../../domain/errors.ts';
import { CarrierError, type CarrierOutcome } from '../../../domain/telephony/carrier-error.ts';

/** One of the carrier's errors; an answer may contain several. */
const CarrierProblem = z.object({
  code: z.coerce.string(),
  title: z.string().optional(),
  detail: z.string().optional(),
  source: z.object({ pointer: z.string() }).optional().catch(undefined),
});

const ProblemBody = z.object({
  errors: z.array(CarrierProblem),
  telnyx_error: z.object({ error_code: z.coerce.string() }).optional().catch(undefined),
});

type ProblemBody = z.infer<typeof ProblemBody>;

/** The meaning of a code, for any HTTP status (contract 8.4 and the carrier's list of errors). */
const outcomeByCode: Readonly<Record<string, CarrierOutcome>> = {
  '10009': 'setup', // the key is invalid
  '10010': 'setup', // not permitted: no outbound profile (D38), limits of the account (D1, D2, D3, D24)
  '10011': 'capacity', // too many requests
  '10016': 'bad_number',
  '90015': 'bad_leg',
  '90018': 'ended',
  '90034': 'not_answered',
  '90041': 'capacity', // channels of the account
  '90042': 'capacity', // channels of the outbound profile
  '90043': 'capacity', // channels of the application
  '90045': 'stream_busy',
  '90048': 'not_streaming',
  '90103': 'capacity', // dials per second
};

/** The wait if the carrier names none. Channels become free when calls end, rates within seconds. */
const capacityWaitMs: Readonly<Record<string, number>> = { '90041': 5_000, '90042': 5_000, '90043': 5_000 };
const rateWaitMs = 1_000;

/**
 * Translates the errors of `telnyx` and the network to CarrierError. `expired`: our own timeout, which
 * includes the body of the answer, has passed. `isLeg`: the command was for a leg, so that an unknown path is
 * an unknown leg.
 */
export function toCarrierError(
  error: unknown,
  { expired, isLeg, timeoutMs }: { expired: boolean; isLeg: boolean; timeoutMs: number },
): unknown {
  if (error instanceof CarrierError) return error;
  if (expired || error instanceof APIConnectionTimeoutError)
    return new CarrierError(`The carrier did not answer within ${timeoutMs} ms`, {
      outcome: 'unknown',
      reason: 'timeout',
      cause: error,
    });
  if (error instanceof APIConnectionError)
    return new CarrierError('The carrier could not be reached', {
      outcome: 'unknown',
      reason: 'unreachable',
      neverSent: isNeverSent(error),
      cause: error,
    });
  if (error instanceof APIError && error.status !== undefined)
    return fromAnswer({ status: error.status, body: error.error, headers: error.headers, isLeg });
  if (error instanceof SyntaxError || isNamed(error, 'SyntaxError')) return unreadableAnswer();
  // The error of `fetch` for a connection that was lost during an answer.
  if (isNamed(error, 'TypeError') && 'cause' in error)
    return new CarrierError('The connection to the carrier was lost during its answer', {
      outcome: 'unknown',
      reason: 'lost',
      cause: error,
    });
  return error;
}

/** The error codes of a connection that was never established. A connection that is lost later has others. */
const noConnection: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** The network's own error is the innermost cause. If several addresses were tried, each of them has one. */
function isNeverSent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isNeverSent);
  return ('code' in error && noConnection.has(error.code)) || isNeverSent(error.cause);
}

/** The error for an answer that does not even show whether the command was refused. */
export function unreadableAnswer(): CarrierError {
  return new CarrierError('The carrier sent an unreadable answer', {
    outcome: 'unknown',
    reason: 'unreadable',
  });
}

/**
 * The errors of an answer with status 2xx: the carrier sends such answers if it could not place a call (D38).
 * Null if there are none.
 */
export function errorsInSuccess(body: unknown): CarrierError | null {
  const parsed = ProblemBody.safeParse(body);
  return parsed.success && parsed.data.errors.length > 0
    ? fromAnswer({ status: 200, body, headers: undefined, isLeg: false })
    : null;
}

function fromAnswer({
  status,
  body,
  headers,
  isLeg,
}: {
  status: number;
  body: unknown;
  headers: Headers | undefined;
  isLeg: boolean;
}): CarrierError {
  const parsed = ProblemBody.safeParse(body);
  const problems = parsed.success ? parsed.data.errors : [];
  const decisive = problems.find(({ code }) => outcomeByCode[code] !== undefined) ?? problems[0];
  const carrierCode = (parsed.success ? detailedCode(parsed.data) : null) ?? decisive?.code ?? null;
  const outcome = outcomeOf({ status, problem: decisive, isLeg });
  const code = carrierCode !== null && /^\w{1,16}$/.test(carrierCode) ? ` (${carrierCode})` : '';
  return new CarrierError(`The carrier answered with HTTP ${status}${code}`, {
    outcome,
    reason: reasonOf(status, outcome),
    httpStatus: status,
    carrierCode,
    carrierMessage: decisive === undefined ? null : messageOf(decisive),
    retryAfterMs:
      outcome === 'capacity'
        ? (readRetryAfter(headers?.get('retry-after'), new Date()) ??
          capacityWaitMs[decisive?.code ?? ''] ??
          rateWaitMs)
        : null,
  });
}

function outcomeOf({
  status,
  problem,
  isLeg,
}: {
  status: number;
  problem: z.infer<typeof CarrierProblem> | undefined;
  isLeg: boolean;
}): CarrierOutcome {
  const byCode = outcomeByCode[problem?.code ?? ''];
  // The number of the account itself, which is not the contact's.
  if (byCode === 'bad_number' && problem?.source?.pointer === '/from') return 'setup';
  if (status >= 500 || status === 408) return byCode === 'ended' ? 'ended' : 'unknown';
  if (byCode !== undefined) return byCode;
  if (status === 401 || status === 403) return 'setup';
  if (status === 429) return 'capacity';
  return status === 404 && isLeg ? 'bad_leg' : 'refused';
}

/**
 * Codes such as `D38` say more than the 10010 that they accompany. They are in a separate field or in the
 * text.
 */
function detailedCode({ errors, telnyx_error: detailed }: ProblemBody): string | null {
  if (detailed !== undefined) return detailed.error_code;
  const text = errors.map((each) => `${each.title ?? ''} ${each.detail ?? ''}`).join(' ');
  return errors.some(({ code }) => code === '10010') ? (/\bD\d{1,3}\b/.exec(text)?.[0] ?? null) : null;
}

function messageOf({ code, title, detail }: z.infer<typeof CarrierProblem>): string {
  const words = [title, detail].filter((part) => part !== undefined && part !== '');
  return words.length === 0 ? `error ${code}` : words.join(': ').slice(0, 500);
}

function reasonOf(status: number, outcome: CarrierOutcome): ProviderFailureReason {
  if (status === 401) return 'refused_key';
  if (outcome === 'capacity') return 'rate_limit';
  return status >= 500 ? 'server_error' : 'client_error';
}

function isNamed(error: unknown, name: string): error is { name: string } {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === name;
}

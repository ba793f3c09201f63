import { createHash } from 'node:crypto';
import { InvariantError, LimitError } from '../../domain/errors.ts';
import { validationRecord } from '../../contract/lax/records.ts';
import {
  type ServiceContext,
  claimIdempotencyKey,
  completeIdempotencyKey,
  releaseIdempotencyKey,
} from '../../services/kernel/index.ts';
import type { KeyedRequest } from '../bind.ts';
import { jsonReply, type Reply } from '../answers/reply.ts';
import { requestFaults, toReply } from './problem.ts';

/**
 * Encrypts stored answers, which may have secrets or personal data. `open` returns null for text that it did
 * not seal.
 */
export interface AnswerSeal {
  seal: (text: string) => string;
  open: (sealed: string) => string | null;
}

/**
 * Runs requests with an `Idempotency-Key` once (contract 5.1): claims the key, runs the request, and stores
 * its answer. It stores successes, and a 4xx given after the request had made its record. All other failures
 * release the key, so that the caller can retry.
 */
export const onceRunner =
  (seal: AnswerSeal) =>
  (request: KeyedRequest<ServiceContext>): Promise<Reply> =>
    runOnce(request, seal);

async function runOnce(
  { ctx, key, method, path, body, run }: KeyedRequest<ServiceContext>,
  seal: AnswerSeal,
): Promise<Reply> {
  const requestHash = hashOf({ method, path, body });
  const claim = await claimIdempotencyKey({ ctx, input: { key, requestHash } });
  switch (claim.kind) {
    case 'completed':
      return jsonReply(claim.responseStatus, readKept(seal.open(claim.responseBody)), {
        'Idempotent-Replayed': 'true',
      });
    case 'running':
      throw new LimitError('The first request with this Idempotency-Key is still running', {
        status: 409,
        retryAfterMs: 1000,
      });
    case 'other_request':
      throw requestFaults([
        validationRecord(['header', 'Idempotency-Key'], {
          type: 'value_error',
          msg: 'Value error, the key was already used for a different request',
          input: key,
          ctx: { error: {} },
        }),
      ]);
    case 'claimed':
      return runClaimed({ ctx, key, run }, seal);
  }
}

async function runClaimed(
  { ctx, key, run }: Pick<KeyedRequest<ServiceContext>, 'ctx' | 'key' | 'run'>,
  seal: AnswerSeal,
): Promise<Reply> {
  let reply: Reply;
  try {
    reply = await run();
  } catch (error) {
    await releaseIdempotencyKey({ ctx, input: { key, refusal: refusalOf(error, ctx, seal) } });
    throw error;
  }
  if (reply.content.kind === 'json') {
    await completeIdempotencyKey({
      ctx,
      input: {
        key,
        responseStatus: reply.status,
        // guarantee: idempotency-answers-sealed
        responseBody: seal.seal(JSON.stringify(reply.content.value)),
      },
    });
  }
  return reply;
}

/** Statuses that are never stored, because a retry may succeed. The same holds for 5xx. */
const neverKept: ReadonlySet<number> = new Set([401, 409, 422, 429]);

function refusalOf(
  error: unknown,
  ctx: ServiceContext,
  seal: AnswerSeal,
): { responseStatus: number; responseBody: string } | undefined {
  const { status, content } = toReply(error, ctx.requestId ?? '');
  if (status >= 500 || neverKept.has(status) || content.kind !== 'json') return undefined;
  return { responseStatus: status, responseBody: seal.seal(JSON.stringify(content.value)) };
}

function readKept(kept: string | null): unknown {
  if (kept === null)
    throw new InvariantError('A stored answer was encrypted with a key that is not in the key ring');
  return JSON.parse(kept);
}

/** SHA-256 of method, path and canonical JSON. The order of keys makes no difference. */
export function hashOf(request: { method: string; path: string; body: unknown }): string {
  return createHash('sha256').update(JSON.stringify(request, inKeyOrder)).digest('hex');
}

function inKeyOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

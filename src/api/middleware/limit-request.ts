import type { Response } from 'express';
import { LimitError } from '../../domain/errors.ts';
import type { LimitState } from '../../services/identity/index.ts';

/**
 * Adds the state of the limits to every answer, including errors (draft-ietf-httpapi-ratelimit-headers).
 * Throws LimitError (429 with `Retry-After`) if the request exceeds a limit.
 */
export function applyLimits(states: readonly LimitState[], res: Pick<Response, 'setHeader'>): void {
  if (states.length === 0) return;
  res.setHeader(
    'RateLimit-Policy',
    states.map(({ name, max, windowSeconds }) => `"${name}";q=${max};w=${windowSeconds}`).join(', '),
  );
  res.setHeader(
    'RateLimit',
    states
      .map(
        ({ name, max, requests, msLeft }) =>
          `"${name}";r=${Math.max(0, max - requests)};t=${secondsOf(msLeft)}`,
      )
      .join(', '),
  );
  const over = states.find(({ requests, max }) => requests > max);
  if (over !== undefined) throw new LimitError(sentenceOf(over), { retryAfterMs: over.msLeft });
}

const secondsOf = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

function sentenceOf({ name, max, windowSeconds, msLeft }: LimitState): string {
  const [holder = '', group = ''] = name.split('_');
  const whose =
    { key: 'this API key or session', organization: 'the organization', network: 'this address' }[holder] ??
    holder;
  return `Too many requests: ${whose} has had ${max} ${group} in ${windowSeconds} s; try again in ${secondsOf(msLeft)} s`;
}

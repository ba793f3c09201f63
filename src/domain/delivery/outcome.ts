/**
 * What an endpoint's status means for a delivery (contract 9.4). `endpoint_off`: a dead letter, and the
 * endpoint is switched off, too.
 */
export type StatusJudgment = 'succeeded' | 'retry' | 'dead_letter' | 'endpoint_off';

const retried: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** Judges an HTTP status. Network faults and timeouts, which have none, are always retried. */
export function judgeStatus(statusCode: number): StatusJudgment {
  if (statusCode >= 200 && statusCode < 300) return 'succeeded';
  if (statusCode === 410) return 'endpoint_off';
  return retried.has(statusCode) || (statusCode >= 500 && statusCode < 600) ? 'retry' : 'dead_letter';
}

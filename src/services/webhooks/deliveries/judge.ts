import { judgeStatus } from '../../../domain/delivery/outcome.ts';
import { readRetryAfter } from '../../../domain/delivery/retry-after.ts';
import type { CustomerHttpOutcome } from '../../../providers/http/port.ts';

/**
 * What an attempt means for its delivery. The customer and Temporal UI show the reasons, so they contain
 * neither URL nor body.
 */
export type Judgment =
  | { kind: 'succeeded' }
  | { kind: 'retry'; reason: string; retryAfterMs: number | null }
  | { kind: 'dead'; reason: string; endpointOff: boolean };

/**
 * Judges an answer (contract 9.4): network faults and some statuses are worth another attempt; a request that
 * our own rules refuse is not.
 */
export function judgeAnswer({ answer, now }: { answer: CustomerHttpOutcome; now: Date }): Judgment {
  switch (answer.kind) {
    case 'refused':
      return { kind: 'dead', reason: answer.message, endpointOff: false };
    case 'failed':
      return { kind: 'retry', reason: answer.message, retryAfterMs: null };
    case 'answered':
      return judgeAnswered(answer.statusCode, readRetryAfter(answer.headers['retry-after'], now));
  }
}

function judgeAnswered(statusCode: number, retryAfterMs: number | null): Judgment {
  switch (judgeStatus(statusCode)) {
    case 'succeeded':
      return { kind: 'succeeded' };
    case 'retry':
      return { kind: 'retry', reason: `The receiver answered ${statusCode}`, retryAfterMs };
    case 'dead_letter':
      return {
        kind: 'dead',
        reason: `The receiver answered ${statusCode}, which is final`,
        endpointOff: false,
      };
    case 'endpoint_off':
      return {
        kind: 'dead',
        reason: `The receiver answered ${statusCode}: the endpoint is gone and switched off`,
        endpointOff: true,
      };
  }
}

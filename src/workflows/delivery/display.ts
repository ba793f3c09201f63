import { setCurrentDetails } from '@temporalio/workflow';
import type { AttemptOutcome } from '../../activities/delivery.ts';
import type { DeliveryInput, DeliveryResult, DeliveryStateAnswer, FailedFirstAttempt } from './messages.ts';
import { bool, datetime, int, keyword, showAttributes } from '../search-attributes.ts';

/**
 * What Temporal UI and the query show of a delivery. It contains host names, but no path, no body and no
 * personal data.
 */
export interface Display {
  state(): DeliveryStateAnswer;
  /** The pump made the first attempt. */
  continued(first: FailedFirstAttempt): void;
  sending(attempt: number): void;
  attempted(outcome: AttemptOutcome): void;
  waiting(nextAttemptAt: Date, delayMs: number): void;
  finished(state: DeliveryResult['state'], reason: string | null): DeliveryResult;
  /** “Attempt 3 of 11 · hooks.example.com” */
  attemptSummary(): string;
  /** “Attempt 4 of 11 in 30 min” */
  waitSummary(delayMs: number): string;
}

export function createDisplay({
  input,
  first,
  last,
}: {
  input: DeliveryInput;
  first: number;
  last: number;
}): Display {
  const state: DeliveryStateAnswer = {
    state: 'sending',
    attempt: first,
    lastAttempt: last,
    nextAttemptAt: null,
    lastStatusCode: null,
    lastError: null,
  };
  let made = first - 1;
  let host: string | null = null;
  const place = () => `Attempt ${state.attempt} of ${last}`;
  const history = () => (state.lastError === null ? '' : `\n\nAttempt ${made}: ${state.lastError}`);

  const begun = [keyword('OrgId', input.organizationUuid), bool('WebhookPending', true)];

  return {
    state: () => state,
    attemptSummary: () => (host === null ? place() : `${place()} · ${host}`),
    waitSummary: (delayMs) => `${place()} in ${describeDelay(delayMs)}`,
    sending(attempt) {
      Object.assign(state, { state: 'sending', attempt, nextAttemptAt: null });
      if (attempt === first)
        showAttributes([
          ...begun,
          int('Attempt', attempt),
          ...(input.resend === true ? [bool('NeedsAttention', false)] : []),
        ]);
      setCurrentDetails(`**${place()}** is under way.${history()}`);
    },
    continued(attempt) {
      made = first;
      host = attempt.host;
      Object.assign(state, { lastStatusCode: attempt.statusCode, lastError: attempt.error });
      showAttributes(begun);
    },
    attempted(outcome) {
      made = state.attempt;
      host = outcome.host;
      Object.assign(state, {
        lastStatusCode: outcome.statusCode,
        lastError: outcome.kind === 'succeeded' ? null : outcome.reason,
      });
    },
    waiting(nextAttemptAt, delayMs) {
      Object.assign(state, {
        state: 'waiting',
        attempt: made + 1,
        nextAttemptAt: nextAttemptAt.toISOString(),
      });
      showAttributes([
        keyword('FailureCode', failureCode(state)),
        int('Attempt', made),
        datetime('NextAttemptAt', nextAttemptAt),
      ]);
      setCurrentDetails(
        `**${place()} · next in ${describeDelay(delayMs)}**, at ${nextAttemptAt.toISOString()}.${history()}\n\nThe signal \`retryNow\` ends the wait.`,
      );
    },
    finished(end, reason) {
      Object.assign(state, {
        state: end,
        attempt: made,
        nextAttemptAt: null,
        lastError: reason ?? state.lastError,
      });
      const sent = [int('Attempt', made), bool('WebhookPending', false)];
      showAttributes(
        end === 'succeeded'
          ? sent
          : [keyword('FailureCode', failureCode(state)), ...sent, bool('NeedsAttention', true)],
      );
      setCurrentDetails(
        end === 'succeeded'
          ? `**Delivered** to ${host ?? 'the receiver'} by attempt ${made}.`
          : `**Dead letter** after attempt ${made}: ${reason ?? 'no reason'}`,
      );
      return { state: end, attempts: made, lastStatusCode: state.lastStatusCode, reason };
    },
  };
}

/** “45 s”, “30 min” or “10.4 h”; milliseconds below a second. */
export function describeDelay(delayMs: number): string {
  if (delayMs < 1000) return `${Math.round(delayMs)} ms`;
  if (delayMs < 90_000) return `${Math.round(delayMs / 1000)} s`;
  if (delayMs < 5_400_000) return `${Math.round(delayMs / 60_000)} min`;
  return `${Math.round(delayMs / 360_000) / 10} h`;
}

/** A closed set of codes: the attribute is stored unencrypted, and operators group by it. */
function failureCode({ lastStatusCode }: DeliveryStateAnswer): string {
  return lastStatusCode === null ? 'webhook_unreachable' : `webhook_http_${lastStatusCode}`;
}

/** The service's own dispositions (contract 8.4), a closed list. Agents may extract others. */
export const dispositions = [
  'user_qualified',
  'user_hangup',
  'end_call_tool',
  'transfer_call',
  'call_transferred',
  'voicemail_detected',
  'call_duration_exceeded',
  'user_idle_max_duration_exceeded',
  'user_disqualified',
  'system_cancelled',
  'system_connect_error',
  'unexpected_error',
  'pipeline_error',
  'unknown',
  'no-answer',
  'busy',
  'failed',
  'canceled',
  'error',
] as const;

/** Dispositions that follow from a carrier's cause. */
export const carrierDispositions: ReadonlySet<string> = new Set([
  'no-answer',
  'busy',
  'failed',
  'canceled',
  'error',
] satisfies (typeof dispositions)[number][]);

export type Disposition = (typeof dispositions)[number];

export function isDisposition(value: string): value is Disposition {
  const listed: readonly string[] = dispositions;
  return listed.includes(value);
}

/**
 * The call's disposition (contract 8.4): an extracted variable `call_disposition` that is not empty, else the
 * one recorded first, else the reason for which the conversation ended. `extracted` are merged extraction
 * results.
 */
export function decideDisposition({
  reason,
  extracted,
  recorded = null,
}: {
  reason: string;
  extracted: Readonly<Record<string, unknown>>;
  recorded?: string | null;
}): string {
  const own = Object.hasOwn(extracted, 'call_disposition') ? extracted['call_disposition'] : null;
  const text =
    typeof own === 'string' || typeof own === 'number' || typeof own === 'boolean' ? String(own).trim() : '';
  return text === '' ? (recorded ?? reason) : text;
}

/**
 * The disposition as it may be stored unencrypted and used for grouping: an agent's own values may contain
 * personal data, so they become `custom`.
 */
export function dispositionForSearch(disposition: string): Disposition | 'custom' {
  return isDisposition(disposition) ? disposition : 'custom';
}

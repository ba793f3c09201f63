import { isDisposition } from './dispositions.ts';

/** Replaces a disposition that contained words of the call. */
export const erasedDisposition = 'erased';

/** Tags that the service itself sets (contract 8.6). */
const serviceTags: ReadonlySet<string> = new Set([
  'user_speech',
  'end_call_tool',
  'not_connected',
  'retry',
  'telephony_rejected',
  'telephony_invalid_number',
  'telephony_fax',
  'retry_reason_busy',
  'retry_reason_no_answer',
  'retry_reason_voicemail',
]);

/** Disposition and tags of a call. */
export interface Outcome {
  disposition: string | null;
  tags: readonly string[];
}

/**
 * The disposition without words of the call. A tool's reason is the model's own text and is erased with the
 * transcript. An extracted disposition is the customer's code and stays, unless the person is erased
 * (`isPersonErased`).
 */
export function dispositionWithoutWords(
  { disposition, tags }: Outcome,
  { isPersonErased }: { isPersonErased: boolean },
): string | null {
  if (disposition === null || isDisposition(disposition)) return disposition;
  return isPersonErased || tags.includes('end_call_tool') ? erasedDisposition : disposition;
}

/** The tags without those from extracted values. `kept` is the remaining disposition. */
export function tagsWithoutWords({ tags }: Outcome, kept: string | null): string[] {
  const isService = (tag: string) =>
    serviceTags.has(tag) || isDisposition(tag) || isDisposition(tag.replace(/^telephony_/, ''));
  return tags.filter((tag) => tag === kept || isService(tag));
}

import type { DetectionResult } from '../../../domain/telephony/detection.ts';
import type { HangupCause } from '../../../domain/telephony/hangup-causes.ts';

/** Every hang-up cause that Telnyx names. */
const hangupCauses: Readonly<Record<string, HangupCause>> = {
  user_busy: 'user_busy',
  busy: 'busy',
  no_answer: 'no_answer',
  timeout: 'timeout',
  call_rejected: 'call_rejected',
  not_found: 'not_found',
  unallocated_number: 'unallocated_number',
  originator_cancel: 'originator_cancel',
  normal_clearing: 'normal_clearing',
  time_limit: 'time_limit',
  unspecified: 'unspecified',
};

/** Every result of Telnyx's standard and premium detection. */
const detectionResults: Readonly<Record<string, DetectionResult>> = {
  human: 'human',
  human_residence: 'human_residence',
  human_business: 'human_business',
  silence: 'silence',
  not_sure: 'not_sure',
  machine: 'machine',
  fax: 'fax',
  fax_detected: 'fax_detected',
};

/** The service's word for a cause. An unknown cause stays unchanged and is logged where it is judged. */
export const causeOf = (word: string): string => wordIn(hangupCauses, word);

/** The service's word for a result of detection; an unknown one stays unchanged. */
export const resultOf = (word: string): string => wordIn(detectionResults, word);

function wordIn(words: Readonly<Record<string, string>>, word: string): string {
  return Object.hasOwn(words, word) ? (words[word] ?? word) : word;
}

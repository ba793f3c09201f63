import type { CallNumbers } from './call-numbers.ts';
import { phoneDigits } from '../phone/digits.ts';

interface Spoken extends Pick<CallNumbers, 'callerNumber' | 'calledNumber'> {
  channel: string;
  direction: string;
}

/**
 * The number of the person in a call, as digits: the callee's or the caller's. Null when there is no number
 * that can be dialed.
 */
export function personNumber({ channel, direction, callerNumber, calledNumber }: Spoken): string | null {
  if (channel !== 'phone') return null;
  const number = direction === 'inbound' ? callerNumber : calledNumber;
  return number === null ? null : phoneDigits(number);
}

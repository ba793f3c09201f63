import { own, type JsonObject } from '../graph/definition.ts';
import { phoneDigits } from '../phone/digits.ts';

interface Spoken {
  channel: string;
  direction: string;
  initialContext: JsonObject;
}

/**
 * The number of the person in a call, as digits: who was called, or who called. Null where there is none, or
 * none that can be dialed.
 */
export function personNumber({ channel, direction, initialContext }: Spoken): string | null {
  if (channel !== 'phone') return null;
  const number = own(initialContext, direction === 'inbound' ? 'caller_number' : 'called_number');
  return typeof number === 'string' || typeof number === 'number' ? phoneDigits(String(number)) : null;
}

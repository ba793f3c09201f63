import { isConnectionHeader } from '../../domain/delivery/headers.ts';
import type { Refused } from './port.ts';
import { refuse } from './address-rules.ts';

const maxHeaders = 100;
const maxHeaderBytes = 16_384;
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Tab, printable ASCII and higher bytes: no line break can start another header or request. */
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Judges headers; null if they may be sent. The message never contains a value. */
export function judgeHeaders(headers: Readonly<Record<string, string>>): Refused | null {
  const entries = Object.entries(headers);
  if (entries.length > maxHeaders)
    return refuse('header_not_allowed', `There are more than ${maxHeaders} headers`);
  const bytes = entries.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
  if (bytes > maxHeaderBytes)
    return refuse('header_not_allowed', `The headers are longer than ${maxHeaderBytes} bytes`);
  for (const [name, value] of entries) {
    if (!token.test(name))
      return refuse('header_not_allowed', 'A header name has characters that HTTP does not allow');
    if (isConnectionHeader(name)) return refuse('header_not_allowed', `The header ${name} cannot be set`);
    if (!fieldValue.test(value))
      return refuse('header_not_allowed', `The header ${name} has characters that HTTP does not allow`);
  }
  return null;
}

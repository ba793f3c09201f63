import type { GoneReason } from '../leg.ts';
import type { WebRefusal } from './deps.ts';

/** Close codes of our sockets (contract 12.6). */
export const closeCodes = {
  over: 1000,
  internal: 1011,
  full: 1013,
  malformed: 4400,
  token: 4401,
  unknown: 4404,
  taken: 4409,
} as const;

export type CloseCode = (typeof closeCodes)[keyof typeof closeCodes];

export const codeOfRefusal = {
  unknown: closeCodes.unknown,
  wrong_token: closeCodes.token,
  taken: closeCodes.taken,
  over: closeCodes.taken,
  full: closeCodes.full,
  limit: closeCodes.full,
} as const satisfies Record<WebRefusal, CloseCode>;

export const codeOfEnd = {
  stopped: closeCodes.over,
  closed: closeCodes.over,
  released: closeCodes.over,
  silent_socket: closeCodes.internal,
  fenced: closeCodes.taken,
} as const satisfies Record<GoneReason, CloseCode>;

import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../../runtime/clock.ts';

export interface OperatorOptions {
  /** The secret of operators. */
  token: string;
  clock: Clock;
  /** Base URL of this installation. With https, the cookie is secure. */
  publicUrl: string;
  tickets: { seal: (text: string) => string; open: (ticket: string) => string | null };
}

export interface Operator {
  /** Whether a request has the token, as bearer token or by the cookie of a sign-in. */
  isSignedIn(headers: Pick<IncomingHttpHeaders, 'authorization' | 'cookie'>): boolean;
  /** Makes the cookie of a sign-in. Returns null for a wrong secret. */
  signIn(presented: string): string | null;
}

const cookieName = 'parlance_codec';
const lifetimeMs = 12 * 3_600_000;

/**
 * Authenticates operators of this installation. The cookie is a sealed ticket, which expires by itself and
 * with the token. Browsers send it only to `path`, and only from pages of the same site, so Temporal UI must
 * be under the same domain as the API.
 */
export function createOperator({
  token,
  clock,
  publicUrl,
  tickets,
  path,
}: OperatorOptions & { path: string }): Operator {
  const expected = digest(token);
  const isToken = (presented: string): boolean => timingSafeEqual(digest(presented), expected);
  const isGoodTicket = (ticket: string): boolean => {
    const [purpose, madeBy, until] = readTicket(tickets.open(ticket));
    return (
      purpose === cookieName && madeBy === expected.toString('hex') && Number(until) > clock.now().getTime()
    );
  };
  return {
    isSignedIn: ({ authorization = '', cookie = '' }) => {
      const bearer = /^bearer +(.+)$/i.exec(authorization.trim())?.[1];
      if (bearer !== undefined) return isToken(bearer);
      return cookie
        .split(/; */)
        .some((each) => each.startsWith(`${cookieName}=`) && isGoodTicket(each.slice(cookieName.length + 1)));
    },
    signIn: (presented) => {
      if (!isToken(presented)) return null;
      const ticket = tickets.seal(
        JSON.stringify([cookieName, expected.toString('hex'), clock.now().getTime() + lifetimeMs]),
      );
      return `${cookieName}=${ticket}; Path=${path}; HttpOnly; SameSite=Strict; Max-Age=${lifetimeMs / 1000}${publicUrl.startsWith('https:') ? '; Secure' : ''}`;
    },
  };
}

/** Reads a ticket. Other tickets under the same seal are objects, not arrays. */
function readTicket(opened: string | null): unknown[] {
  const ticket: unknown = opened === null ? null : JSON.parse(opened);
  return Array.isArray(ticket) ? ticket : [];
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

import { UnauthenticatedError } from '../../domain/errors.ts';
import type { PresentedCredentials } from '../bind.ts';

export interface CallerLookup<Caller> {
  /** Whom a key acts for; null when it is unknown, archived or expired. */
  byKey: (apiKey: string, requestId: string) => Promise<Caller | null>;
  /** Whose session a token is. Throws UnauthenticatedError. */
  bySession: (token: string, requestId: string) => Promise<Caller>;
}

const bearer = /^bearer +(.+)$/i;
/** Three parts with dots between them; no key has a dot. */
const sessionToken = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * Who calls (contract 5.6). `X-API-Key` wins, even when it is bad and `Authorization` is good. There a
 * session token stands with or without its scheme, and an API key as bearer token; everything else proves
 * nothing.
 */
export function authenticator<Caller>({ byKey, bySession }: CallerLookup<Caller>) {
  return async ({ apiKey, authorization }: PresentedCredentials, requestId: string): Promise<Caller> => {
    if (apiKey !== undefined) return (await byKey(apiKey, requestId)) ?? refuse('Invalid or expired API key');
    if (authorization === undefined) return refuse('Authorization header required');
    const given = authorization.trim();
    const token = bearer.exec(given)?.[1];
    if (sessionToken.test(token ?? given)) return await bySession(token ?? given, requestId);
    const caller = token === undefined ? null : await byKey(token, requestId);
    return caller ?? refuse('Invalid or expired token');
  };
}

/** Who calls by `X-API-Key` alone (contract 5.2). */
export function keyAuthenticator<Caller>(byKey: CallerLookup<Caller>['byKey']) {
  return async (apiKey: string, requestId: string): Promise<Caller> =>
    (await byKey(apiKey, requestId)) ?? refuse('Invalid API key');
}

function refuse(message: string): never {
  throw new UnauthenticatedError(message);
}

import { UnauthenticatedError } from '../../domain/errors.ts';
import type { PresentedCredentials } from '../bind.ts';
import type { DownloadTicket } from './download-ticket.ts';

export interface CallerLookup<Caller> {
  /** Returns the caller of a key, or null if the key is unknown, archived or expired. */
  byKey: (apiKey: string, requestId: string) => Promise<Caller | null>;
  /** Returns the caller of a session token. Throws UnauthenticatedError. */
  bySession: (token: string, requestId: string) => Promise<Caller>;
  /** Returns the caller of a download by ticket, and uses the ticket up. Throws UnauthenticatedError. */
  byTicket: (ticket: DownloadTicket, requestId: string) => Promise<Caller>;
}

const bearer = /^bearer +(.+)$/i;
/** Three parts separated by dots. API keys have no dots. */
const sessionToken = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * Authenticates the caller (contract 5.6). `X-API-Key` wins, even if it is invalid and `Authorization` is
 * valid. `Authorization` has a session token with or without its scheme, or an API key as bearer token. The
 * ticket of a download counts without either.
 */
export function authenticator<Caller>({ byKey, bySession, byTicket }: CallerLookup<Caller>) {
  return async (
    { apiKey, authorization, ticket }: PresentedCredentials,
    requestId: string,
  ): Promise<Caller> => {
    if (apiKey !== undefined) return (await byKey(apiKey, requestId)) ?? refuse('Invalid or expired API key');
    if (authorization === undefined && ticket !== undefined) return await byTicket(ticket, requestId);
    if (authorization === undefined) return refuse('Authorization header required');
    const given = authorization.trim();
    const token = bearer.exec(given)?.[1];
    if (sessionToken.test(token ?? given)) return await bySession(token ?? given, requestId);
    const caller = token === undefined ? null : await byKey(token, requestId);
    return caller ?? refuse('Invalid or expired token');
  };
}

/** Authenticates the caller by `X-API-Key` alone (contract 5.2). */
export function keyAuthenticator<Caller>(byKey: CallerLookup<Caller>['byKey']) {
  return async (apiKey: string, requestId: string): Promise<Caller> =>
    (await byKey(apiKey, requestId)) ?? refuse('Invalid API key');
}

function refuse(message: string): never {
  throw new UnauthenticatedError(message);
}

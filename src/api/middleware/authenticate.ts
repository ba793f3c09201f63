import { UnauthenticatedError } from '../../domain/errors.ts';
import type { PresentedCredentials } from '../bind.ts';

/** Looks a key up; null when it is unknown or archived. */
export type FindCaller<Caller> = (apiKey: string, requestId: string) => Promise<Caller | null>;

const bearer = /^bearer +(.+)$/i;

/**
 * Who calls (contract 5.6). `X-API-Key` wins, even when it is bad and `Authorization` is good; an API key is accepted as
 * bearer token too. Every other `Authorization` proves nothing.
 */
export function authenticator<Caller>(findCaller: FindCaller<Caller>) {
  return async ({ apiKey, authorization }: PresentedCredentials, requestId: string): Promise<Caller> => {
    if (apiKey !== undefined) return (await findCaller(apiKey, requestId)) ?? refuse('Invalid or expired API key');
    if (authorization === undefined) return refuse('Authorization header required');
    const token = bearer.exec(authorization.trim())?.[1];
    const caller = token === undefined ? null : await findCaller(token, requestId);
    return caller ?? refuse('Invalid or expired token');
  };
}

function refuse(message: string): never {
  throw new UnauthenticatedError(message);
}

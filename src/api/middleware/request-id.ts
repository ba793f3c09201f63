import type { RequestHandler } from 'express';

/** Pattern of caller ids that are accepted. */
const usable = /^[!-~]{1,128}$/;

/**
 * Adds `X-Request-Id` to every answer: the caller's id if it is usable, otherwise a new one (contract 0.3).
 */
export function requestId(fresh: () => string): RequestHandler {
  return (req, res, next) => {
    const given = req.get('x-request-id');
    res.setHeader('X-Request-Id', given !== undefined && usable.test(given) ? given : fresh());
    next();
  };
}

/** Returns the request id of an answer. */
export const requestIdOf = (res: { getHeader(name: string): unknown }): string =>
  String(res.getHeader('x-request-id'));

import type { RequestHandler } from 'express';

/** What a caller's own id must look like to be taken over. */
const usable = /^[!-~]{1,128}$/;

/**
 * Every answer carries `X-Request-Id`: the caller's when it sent a usable one, else a fresh one (contract
 * 0.3).
 */
export function requestId(fresh: () => string): RequestHandler {
  return (req, res, next) => {
    const given = req.get('x-request-id');
    res.setHeader('X-Request-Id', given !== undefined && usable.test(given) ? given : fresh());
    next();
  };
}

/** The id that the answer carries. */
export const requestIdOf = (res: { getHeader(name: string): unknown }): string =>
  String(res.getHeader('x-request-id'));

import type { Request, RequestHandler, Response } from 'express';

/**
 * Lets pages of the listed origins call the interface from a browser (contract 0.2), and no others. Callers
 * authenticate by headers alone, so credentials such as cookies are not allowed. A page of another origin
 * gets the same answer without these headers, and its browser hides the answer from the page.
 */
export function crossOrigin(origins: readonly string[]): RequestHandler {
  const allowed = new Set(origins);
  return (req, res, next) => {
    if (allowed.size === 0) return next();
    res.vary('Origin');
    const origin = req.get('origin');
    if (origin === undefined || !allowed.has(origin)) return next();
    res.setHeader('Access-Control-Allow-Origin', origin);
    res.setHeader('Access-Control-Expose-Headers', exposed);
    if (isPreflight(req)) return answerPreflight(res);
    next();
  };
}

/** Response headers that a page may read. */
const exposed =
  'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, Idempotent-Replayed, Content-Disposition, ETag';
/** Request headers that a page may send. */
const accepted =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, traceparent, X-API-Key, X-Request-Id';
const preflightSeconds = '600';

const isPreflight = (req: Request): boolean =>
  req.method === 'OPTIONS' && req.get('access-control-request-method') !== undefined;

function answerPreflight(res: Response): void {
  res.setHeader('Access-Control-Allow-Methods', 'GET, POST, PUT, PATCH, DELETE');
  res.setHeader('Access-Control-Allow-Headers', accepted);
  res.setHeader('Access-Control-Max-Age', preflightSeconds);
  res.status(204).end();
}

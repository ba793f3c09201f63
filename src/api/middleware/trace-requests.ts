import type { RequestHandler } from 'express';
import { idAttributes } from '../../runtime/span-names.ts';
import type { Tracing } from '../../runtime/tracing.ts';
import { requestIdOf } from './request-id.ts';

/**
 * One span a request, part of the caller's trace when it sends a W3C `traceparent`. It is named by the
 * route's pattern: real paths carry download tokens, and queries whatever a caller puts there. The span ends
 * with the answer, or when the caller left.
 */
export function traceRequests(tracing: Tracing): RequestHandler {
  if (!tracing.isOn) return (_req, _res, next) => next();
  return (req, res, next) => {
    const { method } = req;
    const span = tracing.begin({
      name: method,
      kind: 'server',
      parent: req.get('traceparent'),
      attributes: { 'http.request.method': method, [idAttributes.requestId]: requestIdOf(res) },
    });
    res.once('close', () => {
      const pattern: unknown = res.locals['routePattern'];
      const status = res.writableFinished ? res.statusCode : undefined;
      span.end({
        ...(typeof pattern === 'string' ? { name: `${method} ${pattern}` } : {}),
        attributes: {
          'http.route': typeof pattern === 'string' ? pattern : undefined,
          'http.response.status_code': status,
        },
        failure: status === undefined ? 'left' : status >= 500 ? String(status) : undefined,
      });
    });
    tracing.within(span, next);
  };
}

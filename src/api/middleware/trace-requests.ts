import type { RequestHandler } from 'express';
import { guarded } from '../../runtime/guarded.ts';
import type { Logger } from '../../runtime/logger.ts';
import { idAttributes } from '../../runtime/span-names.ts';
import type { Tracing } from '../../runtime/tracing.ts';
import { requestIdOf } from './request-id.ts';

/**
 * Makes one span per request, in the caller's trace if the request has a W3C `traceparent`. It is named by
 * the pattern of the route, because paths contain download tokens and queries may contain anything. The span
 * ends with the answer, or when the client disconnects.
 */
export function traceRequests(tracing: Tracing, log: Logger): RequestHandler {
  if (!tracing.isOn) return (_req, _res, next) => next();
  return (req, res, next) => {
    const { method } = req;
    const span = tracing.begin({
      name: method,
      kind: 'server',
      parent: req.get('traceparent'),
      attributes: { 'http.request.method': method, [idAttributes.requestId]: requestIdOf(res) },
    });
    const endSpan = (): void => {
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
    };
    res.once(
      'close',
      guarded(endSpan, (error) => log.error({ err: error }, 'A request could not be traced')),
    );
    tracing.within(span, next);
  };
}

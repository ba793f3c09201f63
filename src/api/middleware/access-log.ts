import { AsyncResource } from 'node:async_hooks';
import type { RequestHandler } from 'express';
import type { Logger } from '../../runtime/logger.ts';
import { requestIdOf } from './request-id.ts';

/**
 * One line per answer. The route's pattern stands for the path: real paths carry download tokens, and queries
 * whatever a caller puts there.
 */
export function accessLog(log: Logger): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now();
    // Bound, so that the line belongs to the trace of its request.
    const answered = AsyncResource.bind(() => {
      const pattern: unknown = res.locals['routePattern'];
      log.info(
        {
          requestId: requestIdOf(res),
          method: req.method,
          route: typeof pattern === 'string' ? pattern : null,
          status: res.writableFinished ? res.statusCode : null,
          durationMs: Math.round(performance.now() - startedAt),
        },
        'Request answered',
      );
    });
    res.once('close', answered);
    next();
  };
}

import { AsyncResource } from 'node:async_hooks';
import type { RequestHandler } from 'express';
import { guarded } from '../../runtime/guarded.ts';
import type { Logger } from '../../runtime/logger.ts';
import { requestIdOf } from './request-id.ts';

/**
 * Logs one line per answer. It has the pattern of the route instead of the path, because paths contain
 * download tokens and queries may contain anything.
 */
export function accessLog(log: Logger): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now();
    // Bound, so that the line is part of the trace of its request.
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
    res.once(
      'close',
      guarded(answered, () => undefined), // there is nothing to log it with
    );
    next();
  };
}

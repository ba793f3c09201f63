import type { RequestHandler } from 'express';
import { guarded } from '../../runtime/guarded.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Metrics } from '../../runtime/metrics.ts';

/** Counts and times answers by the pattern of their route. If the client disconnects, the time ends then. */
export function measureRequests(metrics: Metrics, log: Logger): RequestHandler {
  let inFlight = 0;
  const show = () => metrics.gauge('parlance_http_requests_in_flight', {}, inFlight);
  return (req, res, next) => {
    const begun = performance.now();
    inFlight += 1;
    show();
    const measure = (): void => {
      inFlight -= 1;
      show();
      const pattern: unknown = res.locals['routePattern'];
      const labels = {
        route: typeof pattern === 'string' ? pattern : 'unknown',
        method: req.method.toLowerCase(),
      };
      metrics.count('parlance_http_requests_total', {
        ...labels,
        status_class: res.writableFinished ? `${Math.floor(res.statusCode / 100)}xx` : 'none',
      });
      metrics.observe('parlance_http_request_seconds', labels, (performance.now() - begun) / 1000);
    };
    res.once(
      'close',
      guarded(measure, (error) => log.error({ err: error }, 'A request could not be measured')),
    );
    next();
  };
}

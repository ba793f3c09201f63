import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import type { Logger } from '../runtime/logger.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { noTracing, type Tracing } from '../runtime/tracing.ts';
import { bindRoutes, type BindOptions } from './bind.ts';
import { accessLog } from './middleware/access-log.ts';
import { crossOrigin } from './middleware/cross-origin.ts';
import { measureRequests } from './middleware/measure-requests.ts';
import { problem, TransportError } from './middleware/problem.ts';
import { requestId } from './middleware/request-id.ts';
import { traceRequests } from './middleware/trace-requests.ts';

export interface AppOptions<Caller> extends BindOptions<Caller> {
  log: Logger;
  metrics: Metrics;
  tracing?: Tracing | undefined;
  freshRequestId: () => string;
  /** Addresses and networks of proxies whose X-Forwarded-For is believed; none by default. */
  trustedProxies?: string[] | undefined;
  /** Whose pages may call the interface from a browser; nobody's by default. */
  corsOrigins?: readonly string[] | undefined;
  /**
   * Routes that are no part of the interface that customers call: what carriers and operators' own tools
   * speak.
   */
  extra?: RequestHandler[] | undefined;
}

/** Builds the HTTP edge; listening is the caller's. */
export function createApp<Caller>(options: AppOptions<Caller>): Express {
  const app = express();
  app.set('case sensitive routing', true);
  app.set('query parser', false);
  app.set('etag', false);
  app.disable('x-powered-by');
  app.set('trust proxy', options.trustedProxies ?? []);
  app.use(requestId(options.freshRequestId));
  app.use(traceRequests(options.tracing ?? noTracing));
  app.use(accessLog(options.log));
  app.use(measureRequests(options.metrics));
  // Answers are data: a browser that is led to one may load and frame nothing from it.
  app.use(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      },
      xFrameOptions: { action: 'deny' },
    }),
  );
  // No cache on the way keeps what one caller may see: it does not know `X-API-Key`. An answer that may be
  // kept says so itself.
  app.use((_req, res, next) => {
    res.setHeader('Cache-Control', 'no-store');
    next();
  });
  for (const each of options.extra ?? []) app.use(each);
  app.use(crossOrigin(options.corsOrigins ?? []));
  bindRoutes(app, options);
  app.use(() => {
    throw new TransportError(404, 'not_found', 'Not Found');
  });
  app.use(problem(options));
  return app;
}

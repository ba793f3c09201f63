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
  /** Addresses and networks of proxies whose `X-Forwarded-For` is trusted. None by default. */
  trustedProxies?: string[] | undefined;
  /** Origins whose pages may call the interface from a browser. None by default. */
  corsOrigins?: readonly string[] | undefined;
  /** Routes for carriers and operators' tools, which are not part of the customers' interface. */
  extra?: RequestHandler[] | undefined;
  /** Serves the console at `/`. Absent if there is none. */
  console?: RequestHandler | undefined;
}

/** Builds the Express app. The caller makes it listen. */
export function createApp<Caller>(options: AppOptions<Caller>): Express {
  const app = express();
  app.set('case sensitive routing', true);
  app.set('query parser', false);
  app.set('etag', false);
  app.disable('x-powered-by');
  app.set('trust proxy', options.trustedProxies ?? []);
  app.use(requestId(options.freshRequestId));
  app.use(traceRequests(options.tracing ?? noTracing, options.log));
  app.use(accessLog(options.log));
  app.use(measureRequests(options.metrics, options.log));
  // Answers are data. A browser that opens one may load and frame nothing.
  app.use(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      },
      xFrameOptions: { action: 'deny' },
    }),
  );
  // Shared caches must not store answers, because they do not know `X-API-Key`. Cacheable answers set their
  // own header.
  app.use((_req, res, next) => {
    res.setHeader('Cache-Control', 'no-store');
    next();
  });
  for (const each of options.extra ?? []) app.use(each);
  app.use(crossOrigin(options.corsOrigins ?? []));
  bindRoutes(app, options);
  if (options.console !== undefined) app.use(options.console);
  app.use(() => {
    throw new TransportError(404, 'not_found', 'Not Found');
  });
  app.use(problem(options));
  return app;
}

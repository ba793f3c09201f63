import { Router, type RequestHandler } from 'express';
import sirv from 'sirv';
import { consolePolicy, notBuiltPage, readConsolePage } from './page.ts';

export interface ConsoleOptions {
  /** Folder of the built console. */
  folder: string;
  /** Base URL under which browsers reach this installation. */
  publicUrl: string;
  /** Origins of the media hosts for browser calls. */
  streams: () => Promise<readonly string[]>;
  /** Origin of the file storage, if browsers fetch files there. */
  bucket?: string | undefined;
}

/** How long the origins of media hosts are kept. */
const streamsKeptMs = 10_000;
const yearSeconds = 31_536_000;

/** Serves the console at `/` and its files. Everything else of the root stays with the API. */
export function consoleRoutes({ folder, publicUrl, streams, bucket }: ConsoleOptions): Router {
  const page = readConsolePage({ folder, publicUrl });
  const originsOf = kept(streams);
  const router = Router({ caseSensitive: true });
  if (page !== null) router.use(files(folder));
  router.get('/{*path}', async (req, res, next) => {
    if (!isPage(req.path) || req.accepts(['json', 'html']) !== 'html') return next();
    res.locals['routePattern'] = '/';
    res.setHeader('Cache-Control', 'no-cache');
    res.type('html');
    if (page === null) return void res.send(notBuiltPage);
    const { html, nonce } = page.render();
    res.setHeader('Content-Security-Policy', consolePolicy({ nonce, streams: await originsOf(), bucket }));
    res.send(html);
  });
  return router;
}

const isPage = (path: string): boolean => !/^\/(api|public|healthz|readyz|metrics)(\/|$)/.test(path);

/** Hashed files are immutable; the few others are asked for again each time. */
function files(folder: string): RequestHandler {
  const serve = sirv(folder, {
    gzip: true,
    brotli: true,
    etag: true,
    extensions: [],
    setHeaders(res, path) {
      res.setHeader(
        'Cache-Control',
        path.startsWith('/assets/') ? `public, max-age=${yearSeconds}, immutable` : 'no-cache',
      );
    },
  });
  return (req, res, next) => {
    if (req.path === '/' || req.path === '/index.html') return next();
    serve(req, res, next);
  };
}

/** Asks at most once in ten seconds; pages that are asked for meanwhile wait for the same answer. */
function kept(ask: ConsoleOptions['streams']): () => Promise<readonly string[]> {
  let last: readonly string[] = [];
  let [answer, untilMs] = [Promise.resolve(last), 0];
  return async () => {
    if (Date.now() >= untilMs) {
      untilMs = Date.now() + streamsKeptMs;
      answer = ask().then(
        (origins) => (last = origins),
        () => {
          untilMs = 0; // the page works without them; only browser calls do not
          return last;
        },
      );
    }
    return await answer;
  };
}

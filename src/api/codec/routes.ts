import { Router, type Request, type Response } from 'express';
import { z } from 'zod';
import { apiPrefix } from '../../contract/paths.ts';
import { UnauthenticatedError } from '../../domain/errors.ts';
import { readBody } from '../body/read-body.ts';
import { TransportError } from '../middleware/problem.ts';
import { jsonReply } from '../answers/reply.ts';
import { send } from '../answers/send.ts';
import { createOperator, type OperatorOptions } from './operator.ts';

/** A payload in JSON, with bytes in base64. */
interface JsonPayload {
  metadata?: Record<string, string> | undefined;
  data?: string | undefined;
}

export interface CodecOptions extends OperatorOptions {
  /** Throws PreconditionError for payloads that it cannot decrypt. */
  codec: Record<'encode' | 'decode', (payloads: JsonPayload[]) => Promise<JsonPayload[]>>;
  /** URL of Temporal UI, the only origin whose pages may call these routes. */
  uiUrl: string | undefined;
}

/** The CLI sends protobuf JSON, in which empty fields may be absent. */
const CodecRequest = z.object({
  payloads: z
    .array(z.object({ metadata: z.record(z.string(), z.base64()).optional(), data: z.base64().optional() }))
    .max(1000)
    .default([]),
});

/** Maximum size of a request. A page of history is far smaller, and Temporal limits a payload to 2 MiB. */
const maxBytes = 16 * 1024 * 1024;
const path = `${apiPrefix}/temporal/codec`;

const signInPage = (notice: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Parlance: encrypted payloads</title><h1>Encrypted payloads</h1><p>${notice}</p><form method="post"><label>Codec token <input name="token" type="password" autocomplete="current-password" required></label> <button>Sign in</button></form></html>`;

/**
 * Temporal's remote codec protocol for operators: `POST …/temporal/codec/decode` and `…/encode` with
 * `{ payloads }`. Requests need the codec token as bearer token (CLI, proxies), or the cookie of a sign-in at
 * `…/sign-in` (browsers with Temporal UI). Not part of the customers' interface.
 */
export function codecRoutes(options: CodecOptions): Router {
  const { codec, uiUrl } = options;
  const operator = createOperator({ ...options, path });
  const allowedOrigin = uiUrl === undefined ? null : new URL(uiUrl).origin;
  const router = Router({ caseSensitive: true });

  router.use(path, (req, res, next) => {
    res.locals['routePattern'] =
      req.path === '/sign-in' || req.path === '/encode' || req.path === '/decode'
        ? `/temporal/codec${req.path}`
        : null;
    res.setHeader('Cache-Control', 'no-store');
    res.setHeader('Vary', 'Origin');
    if (allowedOrigin !== null && req.get('origin') === allowedOrigin) allow(res, allowedOrigin);
    next();
  });
  for (const way of ['encode', 'decode'] as const) {
    router.options(`${path}/${way}`, (_req, res) => void res.status(204).end());
    router.post(`${path}/${way}`, async (req, res) => {
      if (!operator.isSignedIn(req.headers))
        throw new UnauthenticatedError(`Send the codec token as bearer, or sign in at ${path}/sign-in`);
      const { payloads } = await requestIn(req);
      await send(res, jsonReply(200, { payloads: await codec[way](payloads) }));
    });
  }
  router.get(
    `${path}/sign-in`,
    (_req, res) =>
      void res.type('html').send(signInPage('After the sign-in, Temporal UI shows the content of calls.')),
  );
  router.post(`${path}/sign-in`, async (req, res) => {
    const cookie = operator.signIn(
      new URLSearchParams((await bytesOf(req)).toString('utf8')).get('token') ?? '',
    );
    if (cookie === null)
      return void res.status(401).type('html').send(signInPage('The codec token is wrong.'));
    res.setHeader('Set-Cookie', cookie);
    res
      .type('html')
      .send(
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Parlance</title><p>Signed in for 12 hours. Temporal UI shows payloads now.</p></html>',
      );
  });
  return router;
}

function allow(res: Response, origin: string): void {
  res.setHeader('Access-Control-Allow-Origin', origin);
  res.setHeader('Access-Control-Allow-Credentials', 'true');
  res.setHeader('Access-Control-Allow-Methods', 'POST');
  res.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type, X-Namespace');
  res.setHeader('Access-Control-Max-Age', '600');
}

async function bytesOf(req: Request): Promise<Buffer> {
  const bytes = await readBody(req, maxBytes);
  if (bytes === null) throw new TransportError(413, 'body_too_large', 'Request body too large');
  return bytes;
}

async function requestIn(req: Request): Promise<z.infer<typeof CodecRequest>> {
  const bytes = await bytesOf(req);
  try {
    return CodecRequest.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    throw new TransportError(400, 'unreadable_body', 'The body must be { "payloads": [ … ] }');
  }
}

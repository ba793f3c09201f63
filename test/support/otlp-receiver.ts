import { createServer } from 'node:http';
import { z } from 'zod';
import { closeServer, portOf } from './receiver.ts';

/** A span as the receiver of traces got it. */
export interface ReceivedSpan {
  service: string;
  traceId: string;
  spanId: string;
  /** Empty for the root of a trace. */
  parentSpanId: string;
  name: string;
  kind: number;
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
  events: { name: string; attributes: Record<string, unknown> }[];
  /** 2 = error. */
  status: number;
}

export interface OtlpReceiver {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string;
  spans: readonly ReceivedSpan[];
  /** The exact requests, to search for data that they must not contain. */
  bodies: readonly string[];
  headers: readonly NodeJS.Dict<string | string[]>[];
  close(): Promise<void>;
}

const Attributes = z
  .array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) }))
  .default([])
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]])));
const Span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().default(''),
  name: z.string(),
  kind: z.number(),
  attributes: Attributes,
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
  events: z.array(z.object({ name: z.string(), attributes: Attributes })).default([]),
  status: z.object({ code: z.number().default(0) }).prefault({}),
});
const Export = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: Attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(Span) })),
    }),
  ),
});

/** A receiver of OTLP/HTTP in JSON on a free port; it accepts every span. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const headers: NodeJS.Dict<string | string[]>[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const isTraces = req.method === 'POST' && req.url === '/v1/traces';
      if (isTraces) {
        bodies.push(body);
        headers.push(req.headers);
        spans.push(...spansIn(body));
      }
      res.writeHead(isTraces ? 200 : 404, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    spans,
    bodies,
    headers,
    close: () => closeServer(server),
  };
}

function spansIn(body: string): ReceivedSpan[] {
  return Export.parse(JSON.parse(body)).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ status, ...span }) => ({
        ...span,
        status: status.code,
        service: String(resource.attributes['service.name']),
      })),
    ),
  );
}

import { afterEach, describe, expect, test } from '@jest/globals';
import { createLogger } from '../../src/runtime/logger.ts';
import { openTelemetry } from '../../src/runtime/open-telemetry.ts';
import { createEchoApp, echoHandlers, serveApp } from '../support/api-server.ts';
import { startOtlpReceiver } from '../support/otlp-receiver.ts';
import { silentLogger } from '../support/quiet.ts';
import { until } from '../support/until.ts';

const open: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

/** A traced API without services. The test defines the behavior of its route `getHealth`. */
async function tracedApi(
  getHealth: () => Promise<never> = () => Promise.reject(new Error('Rumpelstiltskin')),
) {
  const otlp = await startOtlpReceiver();
  open.push(() => otlp.close());
  const lines: Record<string, unknown>[] = [];
  const tracing = openTelemetry({
    endpoint: otlp.url,
    sampler: { name: 'parentbased_always_on', ratio: 1 },
    role: 'test',
    version: '1',
    log: silentLogger,
    batchDelayMs: 5,
  });
  const log = createLogger({
    level: 'info',
    role: 'test',
    destination: { write: (line) => void lines.push(JSON.parse(line)) },
    tracing: () => tracing,
  });
  const { url, close } = await serveApp(
    createEchoApp({ log, tracing, handlers: { ...echoHandlers(), getHealth } }),
  );
  open.push(close);
  return { url, lines, spans: otlp.spans, bodies: otlp.bodies, stop: () => tracing.stop() };
}

describe('the span of a request', () => {
  test('ends and is marked if the client disconnects, and the log line has its id', async () => {
    const reached = Promise.withResolvers<void>();
    const api = await tracedApi(() => {
      reached.resolve();
      return new Promise<never>(() => undefined);
    });
    const leaving = new AbortController();
    const asked = fetch(`${api.url}/api/v1/health`, { signal: leaving.signal });
    await reached.promise;
    leaving.abort();
    await expect(asked).rejects.toThrow('aborted');
    await until('the log line', () => Promise.resolve(api.lines.length === 1));
    await api.stop();
    expect(api.spans).toEqual([
      expect.objectContaining({
        name: 'GET /health',
        status: 2,
        attributes: expect.objectContaining({ 'error.type': 'left' }),
      }),
    ]);
    expect(api.lines[0]).toMatchObject({
      msg: 'Request answered',
      trace_id: api.spans[0]?.traceId,
      span_id: api.spans[0]?.spanId,
    });
  });

  test('does not have the path of an unknown route', async () => {
    const api = await tracedApi();
    await fetch(`${api.url}/api/v1/Rumpelstiltskin?of=Rumpelstiltskin`);
    await api.stop();
    expect(api.spans).toEqual([
      expect.objectContaining({
        name: 'GET',
        status: 0,
        attributes: {
          'http.request.method': 'GET',
          'parlance.request_id': expect.any(String),
          'http.response.status_code': 404,
        },
      }),
    ]);
    expect(api.bodies.join('')).not.toContain('Rumpelstiltskin');
  });

  test('is marked after an internal error, without its text', async () => {
    const api = await tracedApi();
    await fetch(`${api.url}/api/v1/health`);
    await api.stop();
    expect(api.spans).toEqual([
      expect.objectContaining({
        name: 'GET /health',
        status: 2,
        attributes: expect.objectContaining({ 'error.type': '500', 'http.response.status_code': 500 }),
      }),
    ]);
    expect(api.bodies.join('')).not.toContain('Rumpelstiltskin');
  });
});

import { afterEach, describe, expect, test } from '@jest/globals';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { openTelemetry, type OpenTelemetryOptions } from '../../src/runtime/open-telemetry.ts';
import { failureKind, inSpan, type Tracing } from '../../src/runtime/tracing.ts';
import { startOtlpReceiver, type OtlpReceiver } from '../support/otlp-receiver.ts';
import { closeServer, portOf } from '../support/receiver.ts';
import { until } from '../support/until.ts';

const open: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

async function receiver(): Promise<OtlpReceiver> {
  const started = await startOtlpReceiver();
  open.push(() => started.close());
  return started;
}

interface Exported {
  level: 'info' | 'warn';
  message: string;
}

function traced(
  endpoint: string,
  options: Partial<OpenTelemetryOptions> = {},
): { tracing: Tracing; exports: Exported[] } {
  const exports: Exported[] = [];
  const log = {
    info: (_: object, message: string) => void exports.push({ level: 'info', message }),
    warn: (_: object, message: string) => void exports.push({ level: 'warn', message }),
  };
  const tracing = openTelemetry({
    endpoint,
    sampler: { name: 'parentbased_always_on', ratio: 1 },
    role: 'test',
    version: '1',
    log,
    batchDelayMs: 5,
    stopLimitMs: 20_000,
    exportLimitMs: 20_000,
    ...options,
  });
  open.push(() => tracing.stop());
  return { tracing, exports };
}

const caller = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const traceparent = (flags: string) => `00-${caller.traceId}-${caller.spanId}-${flags}`;

describe('spans', () => {
  test('are children of the active span, also after waiting and in parallel work', async () => {
    const otlp = await receiver();
    const { tracing } = traced(otlp.url);
    const work = (name: string) =>
      inSpan(tracing, { name, kind: 'internal' }, async () => {
        await new Promise((resolve) => setImmediate(resolve));
        await inSpan(tracing, { name: `in ${name}`, kind: 'internal' }, () => Promise.resolve());
      });
    await Promise.all([work('one'), work('other')]);
    expect(tracing.active()).toBeUndefined();
    await tracing.stop();
    for (const name of ['one', 'other']) {
      const [outer, inner] = [name, `in ${name}`].map((each) =>
        otlp.spans.find((span) => span.name === each),
      );
      expect(inner).toMatchObject({ traceId: outer?.traceId, parentSpanId: outer?.spanId });
    }
  });

  test('continue the trace of a caller, and start one after an invalid header', async () => {
    const otlp = await receiver();
    const { tracing } = traced(otlp.url);
    for (const parent of [
      traceparent('01'),
      'nonsense',
      '00-00000000000000000000000000000000-b7ad6b7169203331-01',
      '',
    ])
      tracing.begin({ name: `of ${parent}`, kind: 'server', parent }).end();
    await tracing.stop();
    const [continued, ...begun] = otlp.spans;
    expect(continued).toMatchObject({ traceId: caller.traceId, parentSpanId: caller.spanId });
    expect(
      begun.map(({ parentSpanId, traceId }) => ({ parentSpanId, isNew: traceId !== caller.traceId })),
    ).toEqual([1, 2, 3].map(() => ({ parentSpanId: '', isNew: true })));
  });

  test('of a caller that opted out of the trace are not sent, and pass that decision on', async () => {
    const otlp = await receiver();
    const { tracing } = traced(otlp.url);
    await inSpan(
      tracing,
      { name: 'unwanted', kind: 'server', parent: traceparent('00') },
      ({ traceparent: next }) => {
        expect(next).toMatch(new RegExp(`^00-${caller.traceId}-[0-9a-f]{16}-00$`));
        expect(tracing.active()).toMatchObject({ traceId: caller.traceId, isSampled: false });
        return Promise.resolve();
      },
    );
    await tracing.stop();
    expect(otlp.spans).toEqual([]);
  });

  test('that failed have the kind of the failure and not its message', async () => {
    const otlp = await receiver();
    const { tracing } = traced(otlp.url);
    const raised = new TypeError('she said Rumpelstiltskin', { cause: new Error('Rumpelstiltskin') });
    await expect(
      inSpan(tracing, { name: 'fails', kind: 'internal' }, () => Promise.reject(raised)),
    ).rejects.toBe(raised);
    await tracing.stop();
    expect(otlp.spans).toEqual([
      expect.objectContaining({
        status: 2,
        attributes: { 'error.type': 'TypeError' },
        events: [{ name: 'exception', attributes: { 'exception.type': 'TypeError' } }],
      }),
    ]);
    expect(otlp.bodies.join('')).not.toContain('Rumpelstiltskin');
  });

  test('of the past keep their id, their times and their parent', async () => {
    const otlp = await receiver();
    const { tracing } = traced(otlp.url);
    tracing.record({
      name: 'past',
      kind: 'server',
      parent: traceparent('01'),
      spanId: '00f067aa0ba902b7',
      startMs: 1_763_700_000_000,
      endMs: 1_763_700_000_500,
      failure: 'provider',
    });
    tracing.begin({ name: 'next', kind: 'internal' }).end();
    await tracing.stop();
    expect(otlp.spans[0]).toMatchObject({
      name: 'past',
      spanId: '00f067aa0ba902b7',
      traceId: caller.traceId,
      parentSpanId: caller.spanId,
      status: 2,
    });
    expect(otlp.bodies[0]).toMatch(
      /"startTimeUnixNano":"1763700000000000000","endTimeUnixNano":"1763700000500000000"/,
    );
    expect(otlp.spans[1]?.spanId).not.toBe('00f067aa0ba902b7');
  });
});

describe('a sampler', () => {
  test.each([
    ['always_off', '01', false],
    ['always_on', '00', true],
    ['parentbased_always_off', '01', true],
    ['parentbased_always_on', '00', false],
    ['traceidratio', '01', false],
    ['parentbased_traceidratio', '01', true],
  ] as const)(
    "called %s, with the caller's decision %s, samples the trace: %s",
    async (name, flags, isKept) => {
      const { tracing } = traced('http://127.0.0.1:1', { sampler: { name, ratio: 0 }, exportLimitMs: 500 });
      const isSampled = await inSpan(tracing, { name: 'x', kind: 'server', parent: traceparent(flags) }, () =>
        Promise.resolve(tracing.active()?.isSampled),
      );
      expect(isSampled).toBe(isKept);
    },
  );
});

describe('a receiver that', () => {
  /** Answers each export as the test defines. */
  async function answering(
    answer: (requests: number) => number | null,
  ): Promise<{ url: string; requests: () => number; server: Server }> {
    let requests = 0;
    const unanswered: ServerResponse[] = [];
    const server = createServer((req, res) => {
      requests += 1;
      const status = answer(requests);
      req.resume();
      if (status === null) unanswered.push(res);
      else req.on('end', () => res.writeHead(status).end('{}'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push(async () => {
      for (const res of unanswered) res.writeHead(400).end('{}');
      await closeServer(server);
    });
    return { url: `http://127.0.0.1:${portOf(server)}`, requests: () => requests, server };
  }

  test('refuses is logged once, however often it refuses, and once when it accepts spans again', async () => {
    const refusing = await answering((requests) => (requests <= 3 ? 400 : 200));
    const { tracing, exports } = traced(refusing.url);
    for (let sent = 1; sent <= 4; sent += 1) {
      tracing.begin({ name: 'x', kind: 'internal' }).end();
      await until(`export ${sent}`, () => Promise.resolve(refusing.requests() === sent));
      // The next batch begins after the answer to this one.
      await until('the answer', () => Promise.resolve(exports.length === (sent < 4 ? 1 : 2)));
    }
    expect(exports).toEqual([
      { level: 'warn', message: expect.stringContaining('Traces cannot be sent') },
      { level: 'info', message: 'Traces are sent again' },
    ]);
  });

  test('hangs delays neither spans nor the end of the process', async () => {
    const hanging = await answering(() => null);
    const { tracing, exports } = traced(hanging.url, { stopLimitMs: 50 });
    expect(await inSpan(tracing, { name: 'x', kind: 'internal' }, () => Promise.resolve('done'))).toBe(
      'done',
    );
    await until('the export', () => Promise.resolve(hanging.requests() === 1));
    await tracing.stop();
    expect(exports).toEqual([{ level: 'warn', message: 'The last traces could not be sent in time' }]);
  });

  test('is unavailable does not make a shutdown fail', async () => {
    const { tracing } = traced('http://127.0.0.1:1', { exportLimitMs: 500 });
    tracing.begin({ name: 'x', kind: 'internal' }).end();
    await expect(tracing.stop()).resolves.toBeUndefined();
  });
});

describe('the kind of a failure', () => {
  test.each([
    [Object.assign(new Error('a'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
    [Object.assign(new Error('a'), { type: 'provider' }), 'provider'],
    [Object.assign(new Error('a'), { code: 'Ada said no', name: 'Ada said yes' }), 'Error'],
    [new RangeError('Ada'), 'RangeError'],
    ['Ada said no', 'string'],
  ])('%# is one word', (error, kind) => {
    expect(failureKind(error)).toBe(kind);
  });
});

import { describe, expect, test } from '@jest/globals';
import type { CustomerRequest } from '../../../src/providers/http/port.ts';
import { tracedHttp } from '../../../src/providers/http/traced.ts';
import { noTracing } from '../../../src/runtime/tracing.ts';
import { answered, createFakeCustomerHttp } from '../../support/fake-customer-http.ts';
import { recordedTracing } from '../../support/recorded-tracing.ts';

const request: CustomerRequest = {
  method: 'POST',
  url: 'https://ada:hunter2@hooks.example.com:8443/of/ada?phone=%2B14155550123',
  headers: { 'content-type': 'application/json' },
  body: '{"name":"Ada"}',
  timeoutMs: 1000,
  maxResponseBytes: 1000,
};

function world() {
  const { tracing, spans, traceparent } = recordedTracing();
  const http = createFakeCustomerHttp();
  return {
    http,
    spans,
    traceparent,
    send: (changes: Partial<CustomerRequest> = {}) =>
      tracedHttp(http, tracing).request({ ...request, ...changes }),
  };
}

describe("a request to a customer's endpoint", () => {
  test('is one span with method, host and status, without path, query, user name, headers or body', async () => {
    const { http, spans, send } = world();
    http.answerWith(answered(204));
    expect(await send()).toEqual(answered(204));
    expect(spans).toEqual([
      {
        name: 'POST',
        kind: 'client',
        timesEnded: 1,
        attributes: {
          'http.request.method': 'POST',
          'server.address': 'hooks.example.com',
          'http.response.status_code': 204,
        },
      },
    ]);
  });

  test('records its outcome by its kind', async () => {
    const { http, spans, send } = world();
    http.answerWith(
      answered(503),
      { kind: 'failed', reason: 'timeout', message: 'hooks.example.com did not answer' },
      { kind: 'refused', reason: 'address_not_allowed', message: 'no' },
      () => Promise.reject(new TypeError('Ada')),
    );
    for (let nth = 1; nth <= 3; nth += 1) await send();
    await expect(send()).rejects.toThrow('Ada');
    expect(spans.map(({ failure, timesEnded }) => ({ failure, timesEnded }))).toEqual(
      ['503', 'timeout', 'address_not_allowed', 'TypeError'].map((failure) => ({ failure, timesEnded: 1 })),
    );
  });

  test('with an invalid URL has no host', async () => {
    const { spans, send } = world();
    await send({ url: 'Ada lives here' });
    expect(spans[0]?.attributes).not.toHaveProperty('server.address');
  });

  test('continues the trace unless the customer set a traceparent', async () => {
    const { http, traceparent, send } = world();
    await send();
    await send({ headers: { TraceParent: 'mine' } });
    expect(http.requests.map(({ headers }) => headers)).toEqual([
      { 'content-type': 'application/json', traceparent },
      { TraceParent: 'mine' },
    ]);
  });
});

test('returns the client unchanged if tracing is off', () => {
  const http = createFakeCustomerHttp();
  expect(tracedHttp(http, noTracing)).toBe(http);
});

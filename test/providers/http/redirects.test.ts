import { describe, expect, test } from '@jest/globals';
import type { CustomerRequest } from '../../../src/providers/http/port.ts';
import { redirected } from '../../../src/providers/http/redirects.ts';

const request: CustomerRequest = {
  method: 'POST',
  url: 'https://api.example.com/v1/orders?id=1',
  headers: { 'Content-Type': 'application/json', Authorization: 'Bearer secret' },
  body: '{"id":1}',
  timeoutMs: 1000,
  maxResponseBytes: 1000,
};
const answer = (statusCode: number, location?: string) =>
  redirected(request, {
    kind: 'answered',
    statusCode,
    headers: location === undefined ? {} : { location },
    bodyText: '',
    truncated: false,
  });

describe('a redirect', () => {
  test.each([301, 302, 303])('by %i becomes a GET without a body and its type', (statusCode) => {
    expect(answer(statusCode, '/v2/orders')).toEqual({
      ...request,
      method: 'GET',
      url: 'https://api.example.com/v2/orders',
      headers: { Authorization: 'Bearer secret' },
      body: null,
    });
  });

  test.each([307, 308])('by %i repeats the request', (statusCode) => {
    expect(answer(statusCode, '/v2/orders')).toEqual({
      ...request,
      url: 'https://api.example.com/v2/orders',
    });
  });

  test.each([200, 300, 304, 305, 306, 309, 400])('is not asked for by %i', (statusCode) => {
    expect(answer(statusCode, '/v2/orders')).toBeNull();
  });

  test.each([undefined, 'http://'])('is not asked for by the location %j', (location) => {
    expect(answer(302, location)).toBeNull();
  });

  test.each([
    ['another host', 'https://other.example.com/'],
    ['another port', 'https://api.example.com:8443/'],
    ['another scheme', 'http://api.example.com/'],
  ])('to %s keeps the type of a repeated body and no other header', (_origin, location) => {
    expect(answer(307, location)?.headers).toEqual({ 'Content-Type': 'application/json' });
    expect(answer(302, location)?.headers).toEqual({});
  });

  test('to the same origin by an absolute address keeps every header', () => {
    expect(answer(308, 'https://api.example.com/other')?.headers).toEqual(request.headers);
  });
});

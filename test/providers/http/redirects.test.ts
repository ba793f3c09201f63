import { describe, expect, test } from '@jest/globals';
import type { CustomerRequest } from '../../../src/providers/http/port.ts';
import { redirected } from '../../../src/providers/http/redirects.ts';

const request: CustomerRequest = {
  method: 'POST',
  url: 'https://hooks.example.com/a/b',
  headers: { 'Content-Type': 'application/json', Authorization: 'Bearer secret' },
  body: '{}',
  timeoutMs: 1000,
  maxResponseBytes: 100,
};
const follow = (statusCode: number, location?: string, changes: Partial<CustomerRequest> = {}) =>
  redirected(
    { ...request, ...changes },
    {
      kind: 'answered',
      statusCode,
      headers: location === undefined ? {} : { location },
      bodyText: '',
      truncated: false,
    },
  );

describe('a redirect', () => {
  test.each([301, 302, 303])(
    'of a POST with status %i becomes a GET without a body or content type',
    (status) => {
      expect(follow(status, '/next')).toEqual({
        ...request,
        method: 'GET',
        url: 'https://hooks.example.com/next',
        body: null,
        headers: { Authorization: 'Bearer secret' },
      });
    },
  );

  test.each([307, 308])('with status %i repeats the method, the body and the content type', (status) => {
    expect(follow(status, 'next')).toEqual({ ...request, url: 'https://hooks.example.com/a/next' });
  });

  test.each(
    [301, 302].flatMap((status) =>
      ['GET', 'PUT', 'PATCH', 'DELETE'].map((method) => [status, method] as const),
    ),
  )('with status %i repeats a %s with its body and content type', (status, method) => {
    expect(follow(status, 'next', { method })).toEqual({
      ...request,
      method,
      url: 'https://hooks.example.com/a/next',
    });
  });

  test.each(['PUT', 'PATCH', 'DELETE'])('with status 303 turns a %s into a GET without a body', (method) => {
    expect(follow(303, 'next', { method })).toEqual({
      ...request,
      method: 'GET',
      url: 'https://hooks.example.com/a/next',
      body: null,
      headers: { Authorization: 'Bearer secret' },
    });
  });

  test('with status 303 repeats a GET', () => {
    const get = { method: 'GET', body: null };
    expect(follow(303, 'next', get)).toEqual({ ...request, ...get, url: 'https://hooks.example.com/a/next' });
  });

  test('that becomes a GET drops every header that describes the body', () => {
    const headers = {
      'content-encoding': 'gzip',
      'Content-Language': 'en',
      'content-location': '/a',
      'CONTENT-TYPE': 'application/json',
      'x-content-type': 'kept',
    };
    expect(follow(302, 'next', { headers })?.headers).toEqual({ 'x-content-type': 'kept' });
  });

  test.each([
    ['another host', 'https://other.example.com/'],
    ['another port', 'https://hooks.example.com:8443/'],
    ['plain http', 'http://hooks.example.com/'],
  ])('to %s does not receive the credential', (_what, location) => {
    expect(follow(303, location)?.headers).toEqual({});
    expect(follow(307, location)?.headers).toEqual({ 'Content-Type': 'application/json' });
  });

  test.each([
    ['status 200', 200, '/next'],
    ['status 300', 300, '/next'],
    ['status 304', 304, '/next'],
    ['status 305', 305, '/next'],
    ['status 306', 306, '/next'],
    ['status 309', 309, '/next'],
    ['status 400', 400, '/next'],
    ['no location', 302, undefined],
    ['a location that cannot be parsed', 302, 'https://['],
  ])('is not followed for %s', (_what, status, location) => {
    expect(follow(status, location)).toBeNull();
  });
});

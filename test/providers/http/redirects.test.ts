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
const follow = (statusCode: number, location?: string) =>
  redirected(request, {
    kind: 'answered',
    statusCode,
    headers: location === undefined ? {} : { location },
    bodyText: '',
    truncated: false,
  });

describe('a redirect', () => {
  test.each([301, 302, 303])('with status %i becomes a GET without a body or content type', (status) => {
    expect(follow(status, '/next')).toEqual({
      ...request,
      method: 'GET',
      url: 'https://hooks.example.com/next',
      body: null,
      headers: { Authorization: 'Bearer secret' },
    });
  });

  test.each([307, 308])('with status %i repeats the method, the body and the content type', (status) => {
    expect(follow(status, 'next')).toEqual({ ...request, url: 'https://hooks.example.com/a/next' });
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
    ['a status that is not a redirect', 304, '/next'],
    ['no location', 302, undefined],
    ['a location that cannot be parsed', 302, 'https://['],
  ])('is not followed for %s', (_what, status, location) => {
    expect(follow(status, location)).toBeNull();
  });
});

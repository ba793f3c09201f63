import { describe, expect, test } from '@jest/globals';
import { renderUrl } from '../../../src/domain/rendering/render-url.ts';

const variables = {
  id: 'a/b?c#d',
  host: 'shop.example',
  yes: true,
  count: 3,
  empty: '',
  nothing: null,
  list: [1],
  inner: { code: 'ü' },
  up: '..',
  scheme: 'file',
  sign: '@evil.example',
  broken: '\ud800',
};
const render = (template: string) =>
  renderUrl(template, { variables, now: new Date('2026-11-21T10:00:00Z') });

describe('the URL of a tool (contract 7.4)', () => {
  test.each([
    ['https://a.example/{{id}}', 'https://a.example/a%2Fb%3Fc%23d'],
    ['https://{{host}}/x?n={{count}}&y={{yes}}', 'https://shop.example/x?n=3&y=true'],
    ['http://a.example/{{inner.code}}', 'http://a.example/%C3%BC'],
    ['https://a.example/{{empty | none}}', 'https://a.example/none'],
  ])('%s becomes %s', (template, url) => {
    expect(render(template)).toEqual({ kind: 'url', url });
  });

  // guarantee: unsafe-url-value-fails-request
  test.each([
    'https://a.example/{{missing}}',
    'https://a.example/{{empty}}',
    'https://a.example/{{nothing}}',
    'https://a.example/{{list}}',
    'https://a.example/{{inner}}',
    'https://a.example/x/{{up}}/y',
    'https://a.example/{{broken}}',
  ])('%s is refused, because its value cannot be part of a URL', (template) => {
    expect(render(template)).toMatchObject({
      kind: 'invalid',
      error: expect.stringContaining('cannot be part of a URL'),
    });
  });

  test.each([
    '{{scheme}}://a.example',
    'ht{{scheme}}://a.example',
    'file:///etc/passwd',
    '{{host}}/x',
    '',
    'https://{{sign}}/',
    'https://{{id}}/',
  ])('%s is refused, because a value cannot set the scheme or turn other text into a host', (template) => {
    expect(render(template).kind).toBe('invalid');
  });
});

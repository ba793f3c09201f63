import { describe, expect, test } from '@jest/globals';
import { readConfig } from '../../src/config/env.ts';
import { mediaUrlOf } from '../../src/config/media-url.ts';

const urlOf = (media: string, api: string) =>
  mediaUrlOf(
    readConfig({
      DATABASE_URL: 'mysql://db/parlance',
      PARLANCE_ENCRYPTION_KEYS: `k:${Buffer.alloc(32).toString('base64')}`,
      PARLANCE_MEDIA_PUBLIC_URL: media,
      PARLANCE_PUBLIC_URL: api,
    }),
  );

describe('the address of a media host', () => {
  test.each([
    ['ws://localhost:8004', 'http://localhost:8000'],
    ['ws://127.0.0.1:8004', 'http://127.0.0.1:8000'],
    ['ws://[::1]:8004', 'http://[::1]:8000'],
    ['wss://media.example.com', 'https://api.example.com'],
    ['wss://localhost:8004', 'https://api.example.com'],
  ])('may be %s beside %s', (media, api) => {
    expect(urlOf(media, api)).toBe(media);
  });

  // guarantee: media-url-is-wss
  test.each([
    ['ws://media.example.com', 'https://api.example.com'],
    ['ws://media.example.com', 'http://localhost:8000'],
    ['ws://10.0.0.7:8004', 'http://localhost:8000'],
    ['ws://localhost:8004', 'https://api.example.com'],
    ['ws://127.example.com', 'http://localhost:8000'],
    ['ws://localhost.example.com', 'http://localhost:8000'],
  ])('must be wss:// outside of development: not %s beside %s', (media, api) => {
    expect(() => urlOf(media, api)).toThrow('must start with wss://');
  });
});

import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startS3Emulator, type S3Emulator } from '../../emulators/s3/server.ts';
import { verifySignature, type Incoming } from '../../emulators/s3/signature.ts';

/** The examples of Amazon's own description of Signature Version 4 for S3: key, requests and signatures. */
const account = {
  region: 'us-east-1',
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const at = new Date('2013-05-24T00:00:00Z');
const now = { ofRequests: at, ofLinks: at };
const nothing = createHash('sha256').digest('hex');
const host = 'examplebucket.s3.amazonaws.com';

const signed: Incoming = {
  method: 'GET',
  host,
  path: '/test.txt',
  query: {},
  headers: {
    host,
    range: 'bytes=0-9',
    'x-amz-content-sha256': nothing,
    'x-amz-date': '20130524T000000Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
};
const link: Incoming = {
  method: 'GET',
  host,
  path: '/test.txt',
  query: {
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request',
    'X-Amz-Date': '20130524T000000Z',
    'X-Amz-Expires': '86400',
    'X-Amz-SignedHeaders': 'host',
    'X-Amz-Signature': 'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  },
  headers: { host },
};

test("Amazon's own examples of a signed request and of a link are accepted", async () => {
  expect(await verifySignature(signed, account, now)).toBe(nothing);
  expect(await verifySignature(link, account, now)).toBe('UNSIGNED-PAYLOAD');
});

const later = (seconds: number) => ({
  ofRequests: new Date(at.getTime() + seconds * 1000),
  ofLinks: new Date(at.getTime() + seconds * 1000),
});

test.each<[string, Incoming, typeof now, string]>([
  ['another path', { ...signed, path: '/other.txt' }, now, 'SignatureDoesNotMatch'],
  ['another method', { ...signed, method: 'DELETE' }, now, 'SignatureDoesNotMatch'],
  [
    'another range',
    { ...signed, headers: { ...signed.headers, range: 'bytes=0-99' } },
    now,
    'SignatureDoesNotMatch',
  ],
  [
    'another body',
    { ...signed, headers: { ...signed.headers, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' } },
    now,
    'SignatureDoesNotMatch',
  ],
  [
    'an unsigned header',
    { ...signed, headers: { ...signed.headers, 'x-amz-acl': 'public-read' } },
    now,
    'AccessDenied',
  ],
  ['a missing signature', { ...signed, headers: { host } }, now, 'AccessDenied'],
  [
    'another key',
    {
      ...signed,
      headers: {
        ...signed.headers,
        authorization: signed.headers['authorization']?.replace('AKIA', 'AKIB') ?? '',
      },
    },
    now,
    'InvalidAccessKeyId',
  ],
  ['a request from yesterday', signed, later(86_400), 'RequestTimeTooSkewed'],
  ['an expired link', link, later(86_400), 'AccessDenied'],
  ['a link for another file', { ...link, path: '/other.txt' }, now, 'SignatureDoesNotMatch'],
  [
    'a link with an extended lifetime',
    { ...link, query: { ...link.query, 'X-Amz-Expires': '604800' } },
    now,
    'SignatureDoesNotMatch',
  ],
  [
    'a link with an additional parameter',
    { ...link, query: { ...link.query, 'response-content-type': 'text/html' } },
    now,
    'SignatureDoesNotMatch',
  ],
])('%s is refused', async (_, request, when, code) => {
  await expect(verifySignature(request, account, when)).rejects.toMatchObject({ code });
});

test('a different secret makes a different signature', async () => {
  await expect(verifySignature(signed, { ...account, secretAccessKey: 'other' }, now)).rejects.toMatchObject({
    code: 'SignatureDoesNotMatch',
  });
});

let emulator: S3Emulator;
beforeAll(async () => {
  emulator = await startS3Emulator();
});
afterAll(() => emulator.close());

test('it is marked as simulated, and accepts only its own key', async () => {
  const answer = await fetch(`${emulator.url}/${emulator.name}/a/b`, { method: 'PUT', body: 'x' });
  expect([answer.status, answer.headers.get('x-parlance-simulated'), emulator.account.accessKeyId]).toEqual([
    403,
    'true',
    'simulated-key',
  ]);
  expect(await answer.text()).toContain('<Code>AccessDenied</Code>');
  expect(emulator.bucket.objects.size).toBe(0);
});

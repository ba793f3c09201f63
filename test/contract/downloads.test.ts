import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { downloadHandlers } from '../../src/api/routes/downloads.ts';
import { createEchoApp, echoHandlers, serveApp, type ServedApp } from '../support/api-server.ts';

let now = new Date('2026-01-31T10:00:00Z');
let server: ServedApp;

beforeAll(async () => {
  const calls = new Map([
    [
      'with',
      { callId: 7, organizationId: 3, hasTranscript: true, hasRecording: false, transcriptErasedAt: null },
    ],
    [
      'without',
      { callId: 8, organizationId: 3, hasTranscript: false, hasRecording: false, transcriptErasedAt: null },
    ],
  ]);
  const downloads = downloadHandlers({
    clock: { now: () => now },
    publicUrl: 'http://public.example',
    findCallByPublicToken: (token) => Promise.resolve(calls.get(token) ?? null),
    renderTranscript: ({ callId, organizationId }) =>
      Promise.resolve(`[t] user: Grüße ${callId} of ${organizationId}\n`),
    tickets: {
      seal: (text) => `sealed.${Buffer.from(text).toString('base64url')}`,
      open: (ticket) =>
        ticket.startsWith('sealed.') ? Buffer.from(ticket.slice(7), 'base64url').toString() : null,
    },
  });
  server = await serveApp(
    createEchoApp({ handlers: { ...echoHandlers(), ...downloads }, checkAnswers: true }),
  );
});
afterAll(() => server.close());

const get = (path: string) => fetch(`${server.url}/api/v1${path}`, { redirect: 'manual' });
const linkOf = async (path: string) =>
  (await get(path)).headers.get('location')?.replace('http://public.example/api/v1', '') ?? '';

describe('downloads need only the token', () => {
  test('a transcript has a link that is valid for one hour', async () => {
    now = new Date('2026-01-31T10:00:00Z');
    const answer = await get('/public/download/workflow/with/transcript');
    expect(answer.status).toBe(302);
    const link = await linkOf('/public/download/workflow/with/transcript');
    const file = await get(link);
    expect([
      file.status,
      file.headers.get('content-type'),
      file.headers.get('content-disposition'),
      await file.text(),
    ]).toEqual([
      200,
      'text/plain; charset=utf-8',
      'attachment; filename="transcript-7.txt"',
      '[t] user: Grüße 7 of 3\n',
    ]);
    now = new Date('2026-01-31T10:59:59Z');
    expect((await get(link)).status).toBe(200);
    now = new Date('2026-01-31T11:00:00Z');
    expect((await get(link)).status).toBe(404);
  });

  test('inline makes the browser display the file', async () => {
    const file = await get(await linkOf('/public/download/workflow/with/transcript?inline=yes'));
    expect(file.headers.get('content-disposition')).toBe('inline; filename="transcript-7.txt"');
  });

  test.each([
    ['nobody/transcript', 404, 'Invalid or expired token'],
    ['nobody/recording', 404, 'Invalid or expired token'],
    ['without/transcript', 404, 'No transcript available for this workflow run'],
    ['with/recording', 404, 'No recording available for this workflow run'],
    ['with/user_recording', 404, 'No user_recording available for this workflow run'],
    ['with/invoice', 400, 'Unsupported artifact type'],
  ])('%s is %d', async (path, status, detail) => {
    const answer = await get(`/public/download/workflow/${path}`);
    expect([answer.status, await answer.json()]).toMatchObject([status, { detail }]);
  });

  test.each(['nothing', 'sealed.e30', 'sealed.bnVsbA'])('a forged link is 404 (%s)', async (ticket) => {
    expect((await get(`/public/file/${ticket}`)).status).toBe(404);
  });
});

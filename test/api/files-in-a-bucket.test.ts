import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { bytesOf } from '../../src/domain/audio/pcm.ts';
import { readWav } from '../../src/domain/audio/wav.ts';
import {
  assembleRecording,
  beginPiece,
  endPiece,
  removeRecordingFiles,
} from '../../src/services/calls/index.ts';
import type { ServiceContext } from '../../src/services/kernel/context.ts';
import { at, createTenant, idAt, startApi, type ApiUnderTest } from '../support/api-on-services.ts';
import { startTestBucket, type TestBucket } from '../support/bucket.ts';
import {
  createTestClock,
  createTestContext,
  createTestDatabase,
  type TestDatabase,
} from '../support/database.ts';
import { lineWav } from '../support/line-recordings.ts';
import { insertPhoneCall } from '../support/media/phone-call.ts';

const clock = createTestClock('2026-11-21T10:00:00.000Z');

describe('with files in a bucket', () => {
  let database: TestDatabase;
  let bucket: TestBucket;
  let api: ApiUnderTest;
  let ctx: ServiceContext;
  let tenant: Awaited<ReturnType<typeof createTenant>>;

  beforeAll(async () => {
    database = await createTestDatabase('mariadb');
    bucket = await startTestBucket({ clock });
    api = await startApi(database.db, { clock, files: bucket.files });
    ctx = await createTestContext(database.db, { clock });
    tenant = await createTenant(database.db);
  });
  beforeEach(() => {
    clock.set('2026-11-21T10:00:00.000Z');
    bucket.emulator.faults.set([]);
    bucket.emulator.bucket.objects.clear();
  });
  afterAll(async () => {
    await api.close();
    await bucket.close();
    await database.drop();
  });

  const ask = (method: string, path: string, body?: unknown, who = tenant.key) =>
    api.ask(who, method, path, body);
  const stored = () => [...bucket.emulator.bucket.objects.keys()].toSorted();
  const announceLine = async (bytes: number) =>
    (
      await ask('POST', '/workflow-recordings/upload-url', {
        files: [{ filename: 'hello.wav', file_size: bytes }],
      })
    ).body;

  test('a recording is downloaded from it in whole and in part, by a redirect of the API, and can be removed', async () => {
    const publicToken = randomUUID();
    const call = await insertPhoneCall(ctx, { publicToken });
    for (const [generation, user] of [
      [1, [1, 2, 3]],
      [2, [4, 5]],
    ] as const) {
      const where = { ...call, generation };
      const file = await bucket.files.grow(
        await beginPiece({
          db: database.db,
          call: where,
          form: { sampleRate: 8000, beganAt: new Date(clock.now().getTime() + generation) },
        }),
      );
      await file.write(bytesOf(Int16Array.from(user.flatMap((sample) => [sample, 0])), 'little'), 0);
      await file.close();
      await endPiece({ db: database.db, clock, call: where });
    }
    expect(
      await assembleRecording({
        deps: { db: database.db, clock, files: bucket.files },
        input: call,
        signal: new AbortController().signal,
      }),
    ).toBe('assembled');
    const id = String(call.callId);
    expect(stored()).toEqual([
      `recordings/${id}.wav`,
      `recordings/${id}/bot.wav`,
      `recordings/${id}/user.wav`,
    ]);

    const redirect = await api.send({}, 'GET', `/public/download/workflow/${publicToken}/user_recording`);
    expect(redirect.status).toBe(302);
    const link = String(redirect.headers.get('location'));
    expect(link.startsWith(`${bucket.emulator.url}/calls/recordings/${id}/user.wav?`)).toBe(true);
    const file = await fetch(link);
    expect([file.status, file.headers.get('content-type'), file.headers.get('content-disposition')]).toEqual([
      200,
      'audio/wav',
      'attachment; filename="user.wav"',
    ]);
    expect([...(readWav(Buffer.from(await file.arrayBuffer()))?.tracks[0] ?? [])]).toEqual([
      1, 2, 3, 0, 0, 0, 0, 0, 4, 5,
    ]);
    expect(await (await fetch(link, { headers: { range: 'bytes=0-3' } })).text()).toBe('RIFF');
    clock.advance(3_600_000);
    expect((await fetch(link)).status).toBe(403);

    await removeRecordingFiles({ files: bucket.files, callId: call.callId });
    expect(stored()).toEqual([]);
  });

  test('contacts are uploaded to it without credentials, read by a link, and hidden from other organizations', async () => {
    const csv = 'name,phone\nAda,+4915112345\n';
    const { body } = await ask('POST', '/s3/presigned-upload-url', {
      file_name: 'contacts.csv',
      file_size: csv.length,
    });
    const file = idAt(body, 'file_key');
    expect(
      (
        await fetch(idAt(body, 'upload_url'), {
          method: 'PUT',
          headers: { 'content-type': 'text/csv' },
          body: csv,
        })
      ).status,
    ).toBe(200);
    expect(stored()).toEqual([file]);
    const link = await ask('GET', `/s3/signed-url?key=${file}&inline=true&expires_in=60`);
    const read = await fetch(idAt(link.body, 'url'));
    expect([
      await read.text(),
      read.headers.get('content-type'),
      read.headers.get('content-disposition'),
    ]).toEqual([
      csv,
      'text/csv; charset=utf-8',
      expect.stringMatching(/^inline; filename="[0-9a-f-]{36}_contacts\.csv"$/),
    ]);
    expect((await ask('GET', `/s3/file-metadata?key=${file}`)).body).toMatchObject({
      metadata: { size: csv.length, storage_backend: 's3' },
    });
    const stranger = await createTenant(database.db);
    for (const route of ['signed-url', 'file-metadata'])
      expect((await ask('GET', `/s3/${route}?key=${file}`, undefined, stranger.key)).status).toBe(404);
  });

  test('a recorded line is uploaded to it, registered after a check of its content, and removed', async () => {
    const body = await announceLine(lineWav.length);
    const [name, file] = [idAt(body, 'items', 0, 'recording_id'), idAt(body, 'items', 0, 'storage_key')];
    const register = () =>
      ask('POST', '/workflow-recordings/', {
        recordings: [{ recording_id: name, storage_key: file, transcript: 'Hello!' }],
      });
    expect((await register()).status).toBe(400);
    expect(
      (
        await fetch(idAt(body, 'items', 0, 'upload_url'), {
          method: 'PUT',
          headers: { 'content-type': 'audio/wav' },
          body: Buffer.from(lineWav),
        })
      ).status,
    ).toBe(200);
    expect(at((await register()).body, 'recordings', 0)).toMatchObject({
      storage_backend: 's3',
      storage_key: file,
    });
    expect(stored()).toEqual([file]);
    expect((await ask('DELETE', `/workflow-recordings/${name}`)).status).toBe(200);
    expect(stored()).toEqual([]);
  });

  test('an unavailable bucket is 503 for requests that need it, and the API accepts no uploads instead', async () => {
    const body = await announceLine(lineWav.length);
    bucket.emulator.faults.set([{ fault: { kind: 'status', status: 503, code: 'SlowDown' } }]);
    const answer = await ask('POST', '/workflow-recordings/', {
      recordings: [{ recording_id: 'a', storage_key: idAt(body, 'items', 0, 'storage_key'), transcript: '' }],
    });
    expect(answer).toMatchObject({
      status: 503,
      body: { detail: 'The file storage is unavailable or full', code: 'unavailable' },
    });
    const put = await api.send({ 'content-type': 'audio/wav' }, 'PUT', '/public/upload/x', 'x');
    expect(put.status).toBe(404);
  });
});

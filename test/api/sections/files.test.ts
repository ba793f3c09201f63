import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { calls } from '../../../src/db/tables/calls.ts';
import { openDirectory } from '../../../src/providers/storage/directory.ts';
import type { Files } from '../../../src/providers/storage/port.ts';
import {
  at,
  completeGraph,
  createTenant,
  idAt,
  startApi,
  type ApiUnderTest,
} from '../../support/api-on-services.ts';
import { insertCalls } from '../../support/call-rows.ts';
import { createTestClock, createTestDatabase, databases, type TestDatabase } from '../../support/database.ts';

const clock = createTestClock('2026-11-21T10:00:00.000Z');
const base = 'http://api.example.test/api/v1';
const csv = 'name,phone\nAda,+4915112345\n';

describe.each(databases)('files over HTTP on %s', (kind) => {
  let folder: string;
  let files: Files;
  let database: TestDatabase;
  let api: ApiUnderTest;
  let key: string;
  let organizationId: number;
  let agentId: number;
  let versionId: number;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'files-'));
    files = await openDirectory(folder);
    database = await createTestDatabase(kind);
    api = await startApi(database.db, { clock, files });
    ({ key, organizationId } = await createTenant(database.db));
    const { body } = await api.ask(key, 'POST', '/workflow/create/definition', {
      name: 'a',
      workflow_definition: completeGraph(),
    });
    [agentId, versionId] = [Number(idAt(body, 'id')), Number(idAt(body, 'current_definition_id'))];
  });
  beforeEach(() => clock.set('2026-11-21T10:00:00.000Z'));
  afterAll(async () => {
    await api.close();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const ask = (method: string, path: string, body?: unknown, who = key) => api.ask(who, method, path, body);
  const pathOf = (url: unknown) => String(url).replace(base, '');
  const announce = (body: Record<string, unknown> = {}) =>
    ask('POST', '/s3/presigned-upload-url', { file_name: 'my contacts.csv', file_size: csv.length, ...body });
  const put = (url: unknown, content = csv, type = 'text/csv') =>
    api.send({ 'content-type': type }, 'PUT', pathOf(url), content);
  const stored = async () => {
    const { body } = await announce();
    expect((await put(at(body, 'upload_url'))).status).toBe(200);
    return String(at(body, 'file_key'));
  };
  const linkTo = async (file: string, query = '') =>
    pathOf(at((await ask('GET', `/s3/signed-url?key=${encodeURIComponent(file)}${query}`)).body, 'url'));

  describe('contract 6.7 and 6.9, recordings', () => {
    const sound = (text: string) =>
      (async function* () {
        yield Buffer.from(text);
      })();

    test('of a call are in its record, and are downloaded by public token and by key, in whole and in part', async () => {
      const [callId = 0] = await insertCalls(
        database.db,
        { organizationId, agentId, versionId },
        { mode: 'telnyx', channel: 'phone', recordedAt: new Date() },
      );
      for (const [name, text] of [
        [`${callId}.wav`, 'mix'],
        [`${callId}/user.wav`, 'user'],
        [`${callId}/bot.wav`, 'bot'],
      ] as const)
        await files.write(`recordings/${name}`, sound(text), 100);
      const { body } = await ask('GET', `/workflow/${agentId}/runs/${callId}`);
      expect(
        ['recording_url', 'user_recording_url', 'bot_recording_url'].map((field) => at(body, field)),
      ).toEqual([
        `recordings/${callId}.wav`,
        `recordings/${callId}/user.wav`,
        `recordings/${callId}/bot.wav`,
      ]);
      for (const [field, text] of [
        ['recording_public_url', 'mix'],
        ['user_recording_public_url', 'user'],
        ['bot_recording_public_url', 'bot'],
      ] as const) {
        const redirect = await api.send({}, 'GET', pathOf(at(body, field)));
        expect(redirect.status).toBe(302);
        const file = await api.send({}, 'GET', pathOf(redirect.headers.get('location')));
        expect([file.status, file.headers.get('content-type'), file.body]).toEqual([200, 'audio/wav', text]);
      }
      const read = await api.send(
        { range: 'bytes=1-2' },
        'GET',
        await linkTo(`recordings/${callId}/user.wav`),
      );
      expect([read.status, read.body]).toEqual([206, 'se']);
      expect((await ask('GET', `/s3/file-metadata?key=recordings/${callId}.wav`)).body).toMatchObject({
        metadata: { size: 3, content_type: 'audio/wav' },
      });
    });

    test('are hidden from other organizations, and do not exist before completion and after removal', async () => {
      const [callId = 0] = await insertCalls(
        database.db,
        { organizationId, agentId, versionId },
        { recordedAt: null, publicToken: '11111111-1111-4111-8111-111111111111' },
      );
      await files.write(`recordings/${callId}.wav`, sound('mix'), 100);
      await files.write(`recordings/${callId}/1.pcm`, sound('piece'), 100);
      const status = async (file: string, who = key) =>
        (await ask('GET', `/s3/file-metadata?key=${encodeURIComponent(file)}`, undefined, who)).status;
      expect(await status(`recordings/${callId}.wav`)).toBe(404);
      expect(
        (
          await api.send(
            {},
            'GET',
            '/public/download/workflow/11111111-1111-4111-8111-111111111111/recording',
          )
        ).status,
      ).toBe(404);
      await database.db.getRepository(calls).update({ id: callId }, { recordedAt: new Date() });
      expect([
        await status(`recordings/${callId}.wav`),
        await status(`recordings/${callId}/1.pcm`),
        await status(`recordings/${callId}.wav`, (await createTenant(database.db)).key),
      ]).toEqual([200, 404, 404]);
      const { body } = await ask('GET', `/workflow/${agentId}/runs/${callId}`);
      expect(at(body, 'recording_public_url')).toMatch(/recording$/);
    });
  });

  describe('contract 11.1, upload', () => {
    test('returns a link and a storage key of the organization; the file is PUT without credentials', async () => {
      const { status, body } = await announce();
      expect([status, body]).toEqual([
        200,
        {
          upload_url: expect.stringContaining(`${base}/public/upload/`),
          file_key: expect.stringMatching(
            new RegExp(String.raw`^campaigns/${organizationId}/[0-9a-f-]{36}_my_contacts\.csv$`),
          ),
          expires_in: 900,
        },
      ]);
      expect(await put(at(body, 'upload_url'))).toMatchObject({ status: 200, body: '' });
      const read = await api.send({}, 'GET', await linkTo(String(at(body, 'file_key'))));
      expect([read.status, read.body]).toEqual([200, csv]);
    });

    test('a second upload replaces the first', async () => {
      const { body } = await announce();
      await put(at(body, 'upload_url'), 'first');
      await put(at(body, 'upload_url'), 'second');
      expect((await api.send({}, 'GET', await linkTo(String(at(body, 'file_key'))))).body).toBe('second');
    });

    test.each([
      ['of another content type', csv, 'application/octet-stream', 400],
      ['of a byte more than was announced', `${csv}x`, 'text/csv', 413],
    ])('an upload %s is refused and stores nothing', async (_title, content, type, status) => {
      const { body } = await announce();
      expect((await put(at(body, 'upload_url'), content, type)).status).toBe(status);
      expect((await ask('GET', `/s3/file-metadata?key=${String(at(body, 'file_key'))}`)).status).toBe(404);
    });

    test('an upload without a length is refused as soon as it is too large', async () => {
      const { body } = await announce();
      const answer = await fetch(`${api.url}/api/v1${pathOf(at(body, 'upload_url'))}`, {
        method: 'PUT',
        headers: { 'content-type': 'text/csv' },
        body: new Blob([csv, 'x']).stream(),
        duplex: 'half',
      });
      expect([answer.status, await answer.json()]).toMatchObject([
        413,
        { detail: 'The file is larger than announced', code: 'file_too_large' },
      ]);
      expect((await ask('GET', `/s3/file-metadata?key=${String(at(body, 'file_key'))}`)).status).toBe(404);
    });

    test('an expired or changed link and a link for reading accept no upload', async () => {
      const { body } = await announce();
      expect((await put(`${String(at(body, 'upload_url'))}x`)).status).toBe(404);
      expect(
        (await put((await linkTo(await stored())).replace('/public/file/', '/public/upload/'))).status,
      ).toBe(404);
      clock.advance(900_000);
      expect(await put(at(body, 'upload_url'))).toMatchObject({
        status: 404,
        body: { detail: 'Invalid or expired link' },
      });
    });

    test('an interrupted upload stores nothing', async () => {
      const { body } = await announce();
      const sending = request(`${api.url}/api/v1${pathOf(at(body, 'upload_url'))}`, {
        method: 'PUT',
        headers: { 'content-type': 'text/csv', 'content-length': csv.length },
      });
      const { promise: closed, resolve } = Promise.withResolvers<void>();
      sending.on('error', () => undefined).on('close', () => resolve());
      sending.write('name,');
      setImmediate(() => sending.destroy());
      await closed;
      expect((await ask('GET', `/s3/file-metadata?key=${String(at(body, 'file_key'))}`)).status).toBe(404);
    });

    test('an upload may have 10 MiB, more than other requests', async () => {
      const content = 'x'.repeat(10_485_760);
      const { body } = await announce({ file_size: content.length });
      expect((await put(at(body, 'upload_url'), content)).status).toBe(200);
      expect((await ask('GET', `/s3/file-metadata?key=${String(at(body, 'file_key'))}`)).body).toMatchObject({
        metadata: { size: 10_485_760 },
      });
    });

    test.each([
      [{ file_name: 'a.txt' }, 'string_pattern_mismatch', 'file_name'],
      [{ file_size: 0 }, 'greater_than', 'file_size'],
      [{ file_size: 10_485_761 }, 'less_than_equal', 'file_size'],
      [{ content_type: 5 }, 'string_type', 'content_type'],
    ])('%j is a field fault', async (change, type, field) => {
      expect(await announce(change)).toMatchObject({
        status: 422,
        body: { detail: [{ type, loc: ['body', field] }] },
      });
    });
  });

  describe('contract 1.4, ambient-noise/upload-url', () => {
    const sound = (body: Record<string, unknown> = {}, who = key) =>
      ask(
        'POST',
        '/workflow/ambient-noise/upload-url',
        { workflow_id: agentId, filename: 'rain.wav', file_size: 4, ...body },
        who,
      );

    test('returns a link, a storage key of the organization and the storage; audio/wav by default', async () => {
      const { status, body } = await sound();
      expect([status, body]).toEqual([
        200,
        {
          upload_url: expect.stringContaining(base),
          storage_key: expect.stringMatching(
            new RegExp(String.raw`^ambient_noise/${organizationId}/[0-9a-f-]{36}_rain\.wav$`),
          ),
          storage_backend: 'local',
        },
      ]);
      expect((await put(at(body, 'upload_url'), 'RIFF', 'audio/wav')).status).toBe(200);
      const read = await api.send({}, 'GET', await linkTo(String(at(body, 'storage_key')), '&inline=true'));
      expect([read.body, read.headers.get('content-type'), read.headers.get('content-disposition')]).toEqual([
        'RIFF',
        'audio/wav',
        expect.stringMatching(/^inline; filename="[\w-]+_rain\.wav"$/),
      ]);
    });

    test('an unknown agent and one of another organization are 404', async () => {
      expect(await sound({ workflow_id: 999_999 })).toMatchObject({
        status: 404,
        body: { detail: 'Workflow with ID 999999 not found' },
      });
      expect((await sound({}, (await createTenant(database.db)).key)).status).toBe(404);
    });
  });

  describe('contract 6.9, signed-url and file-metadata', () => {
    // guarantee: file-link-expires
    test('an absolute link, valid for the requested time, by default one hour', async () => {
      const file = await stored();
      expect(await ask('GET', `/s3/signed-url?key=${file}`)).toMatchObject({
        status: 200,
        body: { url: expect.stringContaining(`${base}/public/file/`), expires_in: 3600 },
      });
      expect(
        (await ask('GET', `/s3/signed-url?key=${file}&expires_in=60&storage_backend=minio`)).body,
      ).toMatchObject({ expires_in: 60 });
      const link = await linkTo(file, '&expires_in=60');
      clock.advance(59_999);
      expect((await api.send({}, 'GET', link)).status).toBe(200);
      clock.advance(1);
      expect((await api.send({}, 'GET', link)).status).toBe(404);
      expect((await ask('GET', `/s3/signed-url?key=${file}&expires_in=604801`)).status).toBe(422);
    });

    test('a byte range is returned as 206, and one beyond the end is refused', async () => {
      const link = await linkTo(await stored());
      const part = await api.send({ range: 'bytes=5-9' }, 'GET', link);
      expect([
        part.status,
        part.body,
        part.headers.get('content-range'),
        part.headers.get('content-length'),
        part.headers.get('accept-ranges'),
      ]).toEqual([206, 'phone', `bytes 5-9/${csv.length}`, '5', 'bytes']);
      const behind = await api.send({ range: 'bytes=99-' }, 'GET', link);
      expect([behind.status, behind.headers.get('content-range')]).toEqual([416, `bytes */${csv.length}`]);
    });

    test('uploaded files never run in a browser: they are downloads with a fixed content type', async () => {
      const { headers } = await api.send({}, 'GET', await linkTo(await stored()));
      expect([
        headers.get('content-disposition'),
        headers.get('x-content-type-options'),
        headers.get('content-security-policy'),
        headers.get('cache-control'),
      ]).toEqual([
        expect.stringMatching(/^attachment; filename="/),
        'nosniff',
        expect.stringContaining("default-src 'none'"),
        'private, no-store',
      ]);
    });

    test('metadata of an upload', async () => {
      const file = await stored();
      expect((await ask('GET', `/s3/file-metadata?key=${file}`)).body).toEqual({
        key: file,
        metadata: {
          size: csv.length,
          content_type: 'text/csv; charset=utf-8',
          last_modified: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
          storage_backend: 'local',
        },
      });
    });

    test('a transcript by its key: a link to its text, and its size; without a recording 404', async () => {
      const [id] = await insertCalls(
        database.db,
        { organizationId, agentId, versionId },
        { transcriptAvailable: true, endedAt: new Date('2026-11-20T10:00:00.000Z') },
      );
      const link = await linkTo(`transcripts/${id}.txt`, '&inline=1');
      const read = await api.send({}, 'GET', link);
      expect([
        read.status,
        read.headers.get('content-type'),
        read.headers.get('content-disposition'),
      ]).toEqual([200, 'text/plain; charset=utf-8', `inline; filename="transcript-${id}.txt"`]);
      expect((await ask('GET', `/s3/file-metadata?key=transcripts/${id}.txt`)).body).toEqual({
        key: `transcripts/${id}.txt`,
        metadata: {
          size: Buffer.byteLength(String(read.body)),
          content_type: 'text/plain; charset=utf-8',
          last_modified: '2026-11-20T10:00:00.000000Z',
          storage_backend: 'mysql',
        },
      });
      expect((await ask('GET', `/s3/signed-url?key=recordings/${id}.wav`)).status).toBe(404);
    });

    // guarantee: file-key-belongs-to-organization
    test('keys of other organizations, unknown keys and malformed keys get the same 404', async () => {
      const stranger = await createTenant(database.db);
      const [id] = await insertCalls(
        database.db,
        { organizationId, agentId, versionId },
        { transcriptAvailable: true },
      );
      const [without] = await insertCalls(database.db, { organizationId, agentId, versionId }, {});
      const foreign = [await stored(), `transcripts/${id}.txt`];
      const own = [
        `transcripts/${without}.txt`,
        `campaigns/${organizationId}/none.csv`,
        `campaigns/${organizationId}/../${stranger.organizationId}/a`,
        '../etc/passwd',
        '',
        'transcripts/9999999999.txt',
      ];
      for (const route of ['signed-url', 'file-metadata']) {
        for (const file of foreign)
          expect(
            await ask('GET', `/s3/${route}?key=${encodeURIComponent(file)}`, undefined, stranger.key),
          ).toMatchObject({ status: 404, body: { detail: 'File not found' } });
        for (const file of own)
          expect(await ask('GET', `/s3/${route}?key=${encodeURIComponent(file)}`)).toMatchObject({
            status: 404,
            body: { detail: 'File not found' },
          });
      }
    });
  });

  test('an installation without file storage is 503 for uploads', async () => {
    const bare = await startApi(database.db);
    try {
      expect(
        await bare.ask(key, 'POST', '/s3/presigned-upload-url', { file_name: 'a.csv', file_size: 1 }),
      ).toMatchObject({
        status: 503,
        body: { detail: 'This installation keeps no files', code: 'unavailable' },
      });
      expect((await bare.send({ 'content-type': 'text/csv' }, 'PUT', '/public/upload/x', 'x')).status).toBe(
        404,
      );
      expect(
        (await bare.ask(key, 'GET', `/s3/signed-url?key=campaigns/${organizationId}/a.csv`)).status,
      ).toBe(404);
    } finally {
      await bare.close();
    }
  });
});

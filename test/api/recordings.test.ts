import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { lineRecordings } from '../../src/db/tables/line-recordings.ts';
import { wavFile } from '../../src/domain/audio/wav.ts';
import type { ByteRange } from '../../src/domain/files/range.ts';
import { openDirectory } from '../../src/providers/storage/directory.ts';
import type { Files } from '../../src/providers/storage/port.ts';
import {
  at,
  completeGraph,
  createTenant,
  idAt,
  startApi,
  type ApiUnderTest,
} from '../support/api-on-services.ts';
import { createTestDatabase, databases, type TestDatabase } from '../support/database.ts';
import { lineWav } from '../support/line-recordings.ts';

const base = '/workflow-recordings';

describe.each(databases)('recorded lines on %s (contract 15.2)', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let folder: string;
  let files: Files;
  let key: string;
  let organizationId: number;
  /** What was read of files. */
  const readRanges: (ByteRange | undefined)[] = [];

  beforeAll(async () => {
    [database, folder] = [await createTestDatabase(kind), await mkdtemp(join(tmpdir(), 'lines-'))];
    const folderFiles = await openDirectory(folder);
    files = {
      ...folderFiles,
      read(key, range) {
        readRanges.push(range);
        return folderFiles.read(key, range);
      },
    };
    api = await startApi(database.db, { files });
  });
  beforeEach(async () => {
    ({ key, organizationId } = await createTenant(database.db));
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const ask = (method: string, path: string, body?: unknown) => api.ask(key, method, path, body);
  const listed = async (query = '') => (await ask('GET', `${base}/${query}`)).body;
  const upload = async (
    bytes: Uint8Array = lineWav,
  ): Promise<{ recordingId: string; storageKey: string }> => {
    const { body } = await ask('POST', `${base}/upload-url`, {
      files: [{ filename: 'hello.wav', mime_type: 'audio/wav', file_size: bytes.length }],
    });
    const link = String(at(body, 'items', 0, 'upload_url'));
    const put = await fetch(`${api.url}${new URL(link).pathname}`, {
      method: 'PUT',
      headers: { 'content-type': 'audio/wav' },
      body: Buffer.from(bytes),
    });
    expect(put.status).toBe(200);
    return {
      recordingId: idAt(body, 'items', 0, 'recording_id'),
      storageKey: idAt(body, 'items', 0, 'storage_key'),
    };
  };
  const register = (...recordings: object[]) => ask('POST', `${base}/`, { recordings });
  const recorded = async (name: string) =>
    idAt(
      (await register({ recording_id: name, storage_key: (await upload()).storageKey, transcript: 'Hello!' }))
        .body,
      'recordings',
      0,
      'id',
    );
  const agent = async (definition: unknown = completeGraph()) =>
    idAt(
      (await ask('POST', '/workflow/create/definition', { name: 'a', workflow_definition: definition })).body,
      'id',
    );
  const greeting = (name: string) => {
    const { nodes, edges } = completeGraph();
    return {
      nodes: nodes.map((node, index) =>
        index === 0
          ? {
              ...Object(node),
              data: { ...Object(at(node, 'data')), greeting_type: 'audio', greeting_recording_id: name },
            }
          : node,
      ),
      edges,
    };
  };

  test('a file is uploaded, registered, and listed', async () => {
    const { recordingId, storageKey } = await upload();
    expect(storageKey).toMatch(new RegExp(`^line_recordings/${organizationId}/[0-9a-f-]{36}_hello\\.wav$`));
    const agentId = Number(await agent());
    const answer = await register({
      recording_id: recordingId,
      storage_key: storageKey,
      transcript: 'Hello!',
      workflow_id: agentId,
      tts_provider: 'google',
      tts_model: 'chirp',
      tts_voice_id: 'Kore',
      metadata: { take: 2 },
    });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        total: 1,
        recordings: [
          {
            recording_id: recordingId,
            workflow_id: agentId,
            organization_id: organizationId,
            tts_provider: 'google',
            tts_model: 'chirp',
            tts_voice_id: 'Kore',
            transcript: 'Hello!',
            storage_key: storageKey,
            storage_backend: 'local',
            metadata: { take: 2 },
            is_active: true,
          },
        ],
      },
    });
    expect(await listed()).toEqual(answer.body);
    for (const query of [
      `?workflow_id=${agentId}`,
      '?tts_provider=google&tts_model=chirp',
      '?tts_voice_id=Kore',
    ])
      expect(await listed(query)).toEqual(answer.body);
    for (const query of [`?workflow_id=${agentId + 1}`, '?tts_provider=openai', '?tts_voice_id=Puck'])
      expect(await listed(query)).toEqual({ recordings: [], total: 0 });
    expect((await ask('GET', `/s3/file-metadata?key=${storageKey}`)).status).toBe(200);
  });

  // guarantee: duplicate-recordings-refused-unread
  test('a file or a name that is sent twice, or is taken, is 409 before any file is read', async () => {
    const { storageKey } = await upload();
    const named = (index: number) => ({
      recording_id: `line_${index}`,
      storage_key: storageKey,
      transcript: '',
    });
    const eight = Array.from({ length: 8 }, (_, index) => named(index));
    readRanges.length = 0;
    expect(await register(...eight)).toMatchObject({
      status: 409,
      body: { detail: 'This file is already registered' },
    });
    expect(await register(named(0), { ...named(0), storage_key: 'other' })).toMatchObject({
      status: 409,
      body: { detail: 'A recording with this recording_id already exists' },
    });
    expect(readRanges).toEqual([]);
    expect((await register(named(0))).status).toBe(200);
    readRanges.length = 0;
    expect((await register(named(1))).status).toBe(409);
    expect((await register({ ...named(0), storage_key: 'other' })).status).toBe(409);
    expect(readRanges).toEqual([]);
  });

  test('of a file only its header is read', async () => {
    const { storageKey } = await upload(wavFile(8000, [new Int16Array(2_000_000)]));
    readRanges.length = 0;
    expect((await register({ recording_id: 'long', storage_key: storageKey, transcript: '' })).status).toBe(
      200,
    );
    expect(readRanges).toEqual([{ first: 0, last: 65_535 }]);
  });

  test('a file that cannot be played is 400, and the text names the supported formats', async () => {
    const { storageKey } = await upload(wavFile(16_000, [new Int16Array(9), new Int16Array(9)]));
    expect(
      await register({ recording_id: 'stereo', storage_key: storageKey, transcript: 'x' }),
    ).toMatchObject({
      status: 400,
      body: {
        detail: expect.stringMatching(
          /'stereo' cannot be played: it has 2 channels\. It must be a WAV file with one channel of 16-bit PCM/,
        ),
      },
    });
    expect(await listed()).toEqual({ recordings: [], total: 0 });
  });

  test('a missing file, a file of another organization and one that is not a recording are 400', async () => {
    const { storageKey } = await upload();
    const other = await createTenant(database.db);
    expect(
      (
        await api.ask(other.key, 'POST', `${base}/`, {
          recordings: [{ recording_id: 'stolen', storage_key: storageKey, transcript: 'x' }],
        })
      ).status,
    ).toBe(400);
    await files.write(
      `campaigns/${organizationId}/a.wav`,
      (async function* () {
        yield lineWav;
      })(),
      lineWav.length,
    );
    for (const wrong of [
      `campaigns/${organizationId}/a.wav`,
      `line_recordings/${organizationId}/unknown.wav`,
      '../../etc/passwd',
    ]) {
      expect(await register({ recording_id: 'wrong', storage_key: wrong, transcript: 'x' })).toMatchObject({
        status: 400,
        body: { detail: "The file of recording 'wrong' was not uploaded" },
      });
    }
  });

  test('a batch is registered as a whole or not at all, with new names and files', async () => {
    const [one, two] = [await upload(), await upload()];
    expect(
      (
        await register(
          { recording_id: 'same', storage_key: one.storageKey, transcript: 'a' },
          { recording_id: 'same', storage_key: two.storageKey, transcript: 'b' },
        )
      ).status,
    ).toBe(409);
    expect(await listed()).toEqual({ recordings: [], total: 0 });
    expect(
      (
        await register(
          { recording_id: 'one', storage_key: one.storageKey, transcript: 'a' },
          { recording_id: 'two', storage_key: two.storageKey, transcript: 'b' },
        )
      ).status,
    ).toBe(200);
    expect(
      await register({ recording_id: 'three', storage_key: one.storageKey, transcript: 'c' }),
    ).toMatchObject({ status: 409, body: { detail: 'This file is already registered' } });
    expect(
      await register({ recording_id: 'one', storage_key: (await upload()).storageKey, transcript: 'c' }),
    ).toMatchObject({ status: 409, body: { detail: 'A recording with this recording_id already exists' } });
    expect(
      await register({
        recording_id: 'four',
        storage_key: (await upload()).storageKey,
        transcript: 'c',
        workflow_id: 999_999,
      }),
    ).toMatchObject({ status: 404, body: { detail: 'Workflow not found' } });
  });

  test('the size and the number of files are limited', async () => {
    expect(
      await ask('POST', `${base}/upload-url`, { files: [{ filename: 'a.wav', file_size: 5_242_881 }] }),
    ).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'less_than_equal', loc: ['body', 'files', 0, 'file_size'] }] },
    });
    expect(await ask('POST', `${base}/upload-url`, { files: [] })).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'too_short' }] },
    });
    expect(
      at(
        (
          await ask('POST', `${base}/upload-url`, {
            files: [
              { filename: 'a.wav', file_size: 9 },
              { filename: 'b.wav', file_size: 9 },
            ],
          })
        ).body,
        'items',
      ),
    ).toHaveLength(2);
  });

  test('a recording can be renamed by its id and by its name', async () => {
    const id = await recorded('hello');
    expect(await ask('PATCH', `${base}/${id}`, { recording_id: 'good-day' })).toMatchObject({
      status: 200,
      body: { id: Number(id), recording_id: 'good-day' },
    });
    expect(await ask('PATCH', `${base}/good-day`, { recording_id: 'hello_2' })).toMatchObject({
      status: 200,
      body: { recording_id: 'hello_2' },
    });
    await recorded('other');
    expect((await ask('PATCH', `${base}/other`, { recording_id: 'hello_2' })).status).toBe(409);
    expect(await ask('PATCH', `${base}/other`, { recording_id: 'two words' })).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'string_pattern_mismatch', loc: ['body', 'recording_id'] }] },
    });
  });

  // guarantee: recorded-line-in-use-kept
  test('a recording that a graph plays cannot be renamed or deleted while a version that can still run plays it', async () => {
    await recorded('hello');
    const id = await agent(greeting('hello'));
    for (const [method, body] of [
      ['PATCH', { recording_id: 'other' }],
      ['DELETE', undefined],
    ] as const)
      expect(await ask(method, `${base}/hello`, body)).toMatchObject({
        status: 409,
        body: { detail: 'The recording is in use' },
      });
    await ask('PUT', `/workflow/${id}`, { workflow_definition: greeting('something-else') });
    expect((await ask('DELETE', `${base}/hello`)).status).toBe(409); // the published version still plays it
    await ask('POST', `/workflow/${id}/publish`);
    expect((await ask('PATCH', `${base}/hello`, { recording_id: 'other' })).status).toBe(200);
  });

  test('a recording that a tool plays cannot be deleted until the tool is archived', async () => {
    await recorded('bye');
    const tool = idAt(
      (
        await ask('POST', '/tools/', {
          name: 'End',
          definition: { type: 'end_call', config: { messageType: 'audio', audioRecordingId: 'bye' } },
        })
      ).body,
      'tool_uuid',
    );
    expect((await ask('DELETE', `${base}/bye`)).status).toBe(409);
    await ask('DELETE', `/tools/${tool}`);
    expect((await ask('DELETE', `${base}/bye`)).status).toBe(200);
  });

  test('deleting removes the file and the transcript, and frees the name', async () => {
    await recorded('hello');
    const storageKey = String(at(await listed(), 'recordings', 0, 'storage_key'));
    expect(await ask('DELETE', `${base}/hello`)).toMatchObject({ status: 200, body: { success: true } });
    expect(await files.facts(storageKey)).toBeNull();
    expect(await database.db.getRepository(lineRecordings).findBy({ organizationId })).toMatchObject([
      { transcript: '', liveRecordingId: null },
    ]);
    expect(await listed()).toEqual({ recordings: [], total: 0 });
    for (const nobodys of ['hello', '%C2%A0', 'h%C3%A9llo'])
      expect((await ask('DELETE', `${base}/${nobodys}`)).status).toBe(404);
    expect(Number(await recorded('hello'))).toBeGreaterThan(0);
  });

  test('an installation without file storage is 503', async () => {
    const bare = await startApi(database.db);
    try {
      expect(
        (await bare.ask(key, 'POST', `${base}/upload-url`, { files: [{ filename: 'a.wav', file_size: 9 }] }))
          .status,
      ).toBe(503);
      expect(
        (
          await bare.ask(key, 'POST', `${base}/`, {
            recordings: [{ recording_id: 'a', storage_key: 'b', transcript: 'c' }],
          })
        ).status,
      ).toBe(503);
      expect((await bare.ask(key, 'GET', `${base}/`)).body).toEqual({ recordings: [], total: 0 });
    } finally {
      await bare.close();
    }
  });
});

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { calls } from '../../../../../src/db/tables/calls.ts';
import { callRecordings } from '../../../../../src/db/tables/call-recordings.ts';
import { inTransaction } from '../../../../../src/db/transaction.ts';
import { bytesOf } from '../../../../../src/domain/audio/pcm.ts';
import { readWav } from '../../../../../src/domain/audio/wav.ts';
import { openDirectory } from '../../../../../src/providers/storage/directory.ts';
import type { Files } from '../../../../../src/providers/storage/port.ts';
import {
  assembleRecording,
  beginPiece,
  endPiece,
  removeRecordingFiles,
  removeRecordingRows,
  type RecordingDeps,
} from '../../../../../src/services/calls/index.ts';
import type { ServiceContext } from '../../../../../src/services/kernel/context.ts';
import {
  createTestClock,
  createTestContext,
  createTestDatabase,
  databases,
  type TestDatabase,
} from '../../../../support/database.ts';
import { endCall, insertPhoneCall, type PhoneCall } from '../../../../support/media/phone-call.ts';

const { signal } = new AbortController();

describe.each(databases)('the recording of a call, on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;
  let folder: string;
  let files: Files;
  let call: PhoneCall;
  let deps: RecordingDeps;
  const clock = createTestClock();

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    ctx = await createTestContext(database.db, { clock });
    folder = await mkdtemp(join(tmpdir(), 'parlance-recordings-'));
    files = await openDirectory(folder);
    deps = { db: database.db, clock, files };
  });
  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    call = await insertPhoneCall(ctx);
  });

  /** Writes a piece as a host does, with `samples` of both sides. */
  async function piece(
    generation: number,
    {
      offsetMs,
      user,
      bot,
      sampleRate = 8000,
      isComplete = true,
    }: { offsetMs: number; user: number[]; bot: number[]; sampleRate?: number; isComplete?: boolean },
  ): Promise<void> {
    const at = { callId: call.callId, organizationId: call.organizationId, generation };
    const file = await files.grow(
      await beginPiece({
        db: database.db,
        call: at,
        form: { sampleRate, beganAt: new Date(clock.now().getTime() + offsetMs) },
      }),
    );
    await file.write(
      bytesOf(Int16Array.from(user.flatMap((sample, index) => [sample, bot[index] ?? 0])), 'little'),
      0,
    );
    await file.close();
    if (isComplete) await endPiece({ db: database.db, clock, call: at });
  }
  const assemble = () => assembleRecording({ deps, input: call, signal });
  async function track(name: string): Promise<{ sampleRate: number; samples: number[] }> {
    const wav = readWav(await readFile(join(folder, 'recordings', name)));
    return { sampleRate: wav?.sampleRate ?? 0, samples: [...(wav?.tracks[0] ?? [])] };
  }
  const row = async () => await database.db.getRepository(calls).findOneByOrFail({ id: call.callId });
  async function left(): Promise<{ rows: number; files: string[] }> {
    const names = await readdir(join(folder, 'recordings', String(call.callId))).catch((): string[] => []);
    return {
      rows: await database.db.getRepository(callRecordings).countBy({ callId: call.callId }),
      files: names.toSorted(),
    };
  }

  test("consists of the mix, the caller's side and the agent's side, and its pieces are deleted", async () => {
    await piece(1, { offsetMs: 0, user: [1, 2, 3, 30_000], bot: [10, 20, 30, 10_000] });
    expect(await assemble()).toBe('assembled');
    expect(await track(`${call.callId}.wav`)).toEqual({ sampleRate: 8000, samples: [11, 22, 33, 32_767] });
    expect(await track(`${call.callId}/user.wav`)).toEqual({ sampleRate: 8000, samples: [1, 2, 3, 30_000] });
    expect(await track(`${call.callId}/bot.wav`)).toEqual({
      sampleRate: 8000,
      samples: [10, 20, 30, 10_000],
    });
    expect([(await row()).recordedAt, await left()]).toEqual([
      clock.now(),
      { rows: 0, files: ['bot.wav', 'user.wav'] },
    ]);
    expect(await assemble()).toBe('assembled');
  });

  // guarantee: recording-pieces-placed-by-time
  test('has each piece of several hosts at its time, with silence between them and no overlap', async () => {
    await piece(1, { offsetMs: 0, user: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1], bot: [] });
    await piece(2, { offsetMs: 2, user: [3, 3], bot: [] });
    await piece(1 + 2, { offsetMs: 1, user: [2, 2, 2], bot: [] });
    await assemble();
    expect((await track(`${call.callId}/user.wav`)).samples).toEqual([
      1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 0, 0, 0, 0, 0, 3, 3,
    ]);
  });

  test('contains what a lost host wrote, once the host can no longer write', async () => {
    await piece(1, { offsetMs: 0, user: [5, 6, 7], bot: [], isComplete: false });
    await endCall(ctx, call);
    await database.db.getRepository(calls).update({ id: call.callId }, { endedAt: clock.now() });
    await expect(assemble()).rejects.toThrow('still writing');
    clock.advance(10_000);
    expect(await assemble()).toBe('assembled');
    expect((await track(`${call.callId}/user.wav`)).samples).toEqual([5, 6, 7]);
  });

  test('has the higher sample rate when hosts used two', async () => {
    await piece(1, { offsetMs: 0, user: Array.from({ length: 800 }, () => 1000), bot: [] });
    await piece(2, {
      offsetMs: 100,
      user: Array.from({ length: 1600 }, () => 2000),
      bot: [],
      sampleRate: 16_000,
    });
    await assemble();
    const { sampleRate, samples } = await track(`${call.callId}.wav`);
    expect([sampleRate, samples.length, samples[800], samples[2400]]).toEqual([
      16_000,
      3200,
      expect.closeTo(1000, -2),
      2000,
    ]);
  });

  test('does not exist when no host recorded', async () => {
    expect(await assemble()).toBe('nothing');
    expect(await assembleRecording({ deps: { ...deps, files: undefined }, input: call, signal })).toBe(
      'nothing',
    );
    expect((await row()).recordedAt).toBeNull();
  });

  test('can be removed completely, even in pieces, and a recording that is being assembled meanwhile is discarded', async () => {
    await piece(1, { offsetMs: 0, user: [1], bot: [1] });
    const erase = async () => {
      await removeRecordingFiles({ files, callId: call.callId });
      await inTransaction(database.db, (tx) => removeRecordingRows(tx, call));
    };
    let hasErased = false;
    const meanwhile: RecordingDeps = {
      ...deps,
      files: {
        ...files,
        async write(...args) {
          const written = await files.write(...args);
          if (!hasErased) await erase();
          hasErased = true;
          return written;
        },
      },
    };
    expect(await assembleRecording({ deps: meanwhile, input: call, signal })).toBe('nothing');
    expect([(await row()).recordedAt, await left()]).toEqual([null, { rows: 0, files: [] }]);
    await piece(3, { offsetMs: 0, user: [1], bot: [1] });
    // Its files are removed before the last one is made, its rows after that.
    const late: RecordingDeps = {
      ...deps,
      files: {
        ...files,
        async write(key, ...rest) {
          const written = await files.write(key, ...rest);
          if (key.endsWith('bot.wav'))
            await inTransaction(database.db, (tx) => removeRecordingRows(tx, call));
          return written;
        },
      },
    };
    expect(await assembleRecording({ deps: late, input: call, signal })).toBe('nothing');
    expect([(await row()).recordedAt, await left()]).toEqual([null, { rows: 0, files: [] }]);
    await piece(2, { offsetMs: 0, user: [1], bot: [1] });
    await assemble();
    await erase();
    expect([(await row()).recordedAt, await left()]).toEqual([null, { rows: 0, files: [] }]);
  });
});

import type { DataSource } from 'typeorm';
import { countRows, deleteRows, findRow, findRows, updateRows } from '../../../../db/rows.ts';
import { callRecordings, type CallRecordingRow } from '../../../../db/tables/call-recordings.ts';
import { calls } from '../../../../db/tables/calls.ts';
import { inTransaction } from '../../../../db/transaction.ts';
import { translateUnavailable } from '../../../../db/unavailable.ts';
import { planRecording } from '../../../../domain/audio/recording-plan.ts';
import { UnavailableError } from '../../../../domain/errors.ts';
import { recordingKey, type RecordingTrack } from '../../../../domain/files/key.ts';
import type { Clock } from '../../../../runtime/clock.ts';
import type { Files } from '../../../../providers/storage/port.ts';
import type { CallRef } from '../../../kernel/index.ts';
import { trackFile } from './tracks.ts';

/** The storage of recordings. */
export type RecordingStore = Pick<Files, 'write' | 'remove' | 'removeAll' | 'grown'>;

export interface RecordingDeps {
  db: DataSource;
  clock: Clock;
  /** Absent when the installation records nothing. */
  files: RecordingStore | undefined;
}

export const recordingTracks: readonly RecordingTrack[] = ['mix', 'user', 'bot'];

/** Left and right, 16 bits each. */
const bytesPerFrame = 4;
/** Four hours at the highest rate. */
const maxFileBytes = 512 * 1024 * 1024;
/** A host that is alive completes its piece within this time; a lost host never does. */
const completionMs = 10_000;

/**
 * Joins the pieces that media hosts recorded of a call into its three files (contract 6.7) and deletes the
 * pieces. It is idempotent. Returns `nothing` when no host recorded anything or the recording was erased in
 * the meantime. Throws UnavailableError while a host may still write and when the storage is unavailable.
 */
export async function assembleRecording({
  deps,
  input,
  signal,
}: {
  deps: RecordingDeps;
  input: CallRef;
  signal: AbortSignal;
}): Promise<'assembled' | 'nothing'> {
  const { db, clock, files } = deps;
  const rows = await findRows(
    db,
    callRecordings,
    { callId: input.callId, organizationId: input.organizationId },
    { order: { generation: 'ASC' } },
  ).catch(rethrow);
  if (files === undefined) return 'nothing';
  if (rows.length === 0) return (await wasAssembled(deps, input)) ? 'assembled' : 'nothing';
  await requireComplete(deps, input, rows);
  const pieces = await Promise.all(
    rows.map(async (row) => ({ row, grown: await files.grown(row.storageKey) })),
  );
  const plan = planRecording(
    pieces.map(({ row, grown }) => ({
      beganAtMs: row.beganAt.getTime(),
      sampleRate: row.sampleRate,
      samples: Math.floor((grown?.bytes ?? 0) / bytesPerFrame),
    })),
  );
  if (plan !== null) {
    const stored = pieces.map(({ row, grown }) => ({
      sampleRate: row.sampleRate,
      read: grown?.read ?? nothing,
    }));
    try {
      for (const track of recordingTracks) {
        signal.throwIfAborted();
        await files.write(
          recordingKey(input.callId, track),
          trackFile({ plan, pieces: stored, track }),
          maxFileBytes,
        );
      }
    } catch (error) {
      if (
        (await countRows(db, callRecordings, {
          callId: input.callId,
          organizationId: input.organizationId,
        })) > 0
      )
        throw error;
      // The recording was erased while it was read: the new files are removed below.
    }
  }
  const isKept = await replacePieces({ db, clock, input, isRecorded: plan !== null });
  for (const { storageKey } of rows) await files.removeAll(storageKey);
  if (!isKept) for (const track of recordingTracks) await files.remove(recordingKey(input.callId, track));
  return isKept && plan !== null ? 'assembled' : 'nothing';
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

async function wasAssembled(
  { db }: RecordingDeps,
  { callId: id, organizationId }: CallRef,
): Promise<boolean> {
  const call = await findRow(db.manager, calls, { id, organizationId }).catch(rethrow);
  return call !== null && call.recordedAt !== null;
}

async function requireComplete(
  { db, clock }: RecordingDeps,
  { callId: id, organizationId }: CallRef,
  rows: readonly CallRecordingRow[],
): Promise<void> {
  const newest = rows.at(-1);
  if (newest === undefined || newest.endedAt !== null) return;
  const call = await findRow(db.manager, calls, { id, organizationId }).catch(rethrow);
  const endedMs = call?.endedAt?.getTime() ?? clock.now().getTime();
  if (clock.now().getTime() - endedMs < completionMs)
    throw new UnavailableError('A media host is still writing the recording', { dependency: 'storage' });
}

/** Records that the files replace the pieces; false when the recording was erased while they were made. */
async function replacePieces({
  db,
  clock,
  input,
  isRecorded,
}: {
  db: DataSource;
  clock: Clock;
  input: CallRef;
  isRecorded: boolean;
}): Promise<boolean> {
  const { callId, organizationId } = input;
  return await inTransaction(db, async (tx) => {
    const call = await findRow(tx, calls, { id: callId, organizationId }, { isLocked: true });
    const removed = await deleteRows(tx, callRecordings, { callId, organizationId });
    if (call === null || removed === 0) return call?.recordedAt !== null && call !== null;
    if (isRecorded)
      await updateRows(tx, calls, {
        where: { id: callId, organizationId },
        change: { recordedAt: clock.now() },
      });
    return isRecorded;
  });
}

function rethrow(error: unknown): never {
  throw translateUnavailable(error);
}

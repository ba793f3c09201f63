import { IsNull, type DataSource } from 'typeorm';
import { getRow, insertRow, updateRows } from '../../../../db/rows.ts';
import { callRecordings } from '../../../../db/tables/call-recordings.ts';
import { calls } from '../../../../db/tables/calls.ts';
import { inTransaction } from '../../../../db/transaction.ts';
import type { ClaimSeatInput } from '../../../../domain/call/voice.ts';
import { recordingPieceKey } from '../../../../domain/files/key.ts';
import type { Clock } from '../../../../runtime/clock.ts';
import { requireKept } from '../../records/require-kept.ts';

/**
 * Stores that a host records a call, before it writes the first sample, so that pieces of a lost host are
 * found. Returns the storage key to write to. Throws PreconditionError for a call that was erased.
 */
export async function beginPiece({
  db,
  call,
  form: { sampleRate, beganAt },
}: {
  db: DataSource;
  call: ClaimSeatInput;
  form: { sampleRate: number; beganAt: Date };
}): Promise<string> {
  const { callId, organizationId, generation } = call;
  const storageKey = recordingPieceKey(callId, generation);
  await inTransaction(db, async (tx) => {
    requireKept(await getRow(tx, calls, { id: callId, organizationId }, { isLocked: true }));
    await insertRow(tx, callRecordings, {
      organizationId,
      callId,
      generation,
      storageKey,
      sampleRate,
      beganAt,
      endedAt: null,
    });
  });
  return storageKey;
}

/** Stores that a piece is complete; false when it was erased in the meantime. */
export async function endPiece({
  db,
  clock,
  call: { callId, organizationId, generation },
}: {
  db: DataSource;
  clock: Clock;
  call: ClaimSeatInput;
}): Promise<boolean> {
  const ended = await updateRows(db.manager, callRecordings, {
    where: { callId, organizationId, generation, endedAt: IsNull() },
    change: { endedAt: clock.now() },
  });
  return ended > 0;
}

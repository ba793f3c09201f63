import { In, type EntityManager } from 'typeorm';
import type { RecordingList } from '../../../contract/recordings.ts';
import { findRow, findRows, insertRow } from '../../../db/rows.ts';
import { agents } from '../../../db/tables/agents.ts';
import { lineRecordings, type LineRecordingRow } from '../../../db/tables/line-recordings.ts';
import {
  InvariantError,
  NotFoundError,
  PreconditionError,
  UnavailableError,
} from '../../../domain/errors.ts';
import { isLineKeyOf } from '../../../domain/files/key.ts';
import { acceptedAudio, lineAudioFlaw, lineHeaderBytes } from '../../../domain/files/line-audio.ts';
import {
  appendAudit,
  actingUserId,
  type ServiceContext,
  madeBefore,
  once,
  type Write,
  write,
} from '../../kernel/index.ts';
import type { RecordingDeps } from './deps.ts';
import { takenFile, takenName, translateTaken } from './internal.ts';
import { auditedRecording, toRecordingList } from './mapper.ts';

export type NewRecording = Pick<
  LineRecordingRow,
  | 'recordingId'
  | 'storageKey'
  | 'transcript'
  | 'agentId'
  | 'ttsProvider'
  | 'ttsModel'
  | 'ttsVoiceId'
  | 'metadata'
>;

type Storage = NonNullable<RecordingDeps['storage']>;

/**
 * Registers uploaded files as recordings, all or none (contract 15.2). Throws PreconditionError (400) for a
 * file that is missing or cannot be played, NotFoundError for an unknown agent, ConflictError for a taken
 * name or file, UnavailableError without a storage.
 */
export async function registerRecordings({
  ctx,
  deps: { storage },
  input,
}: {
  ctx: ServiceContext;
  deps: RecordingDeps;
  input: readonly NewRecording[];
}): Promise<RecordingList> {
  if (storage === undefined)
    throw new UnavailableError('This installation keeps no files', { dependency: 'storage' });
  if (madeBefore(ctx, 'line_recording') === null) {
    await requireFree(ctx, input);
    for (const { recordingId, storageKey } of input)
      await requirePlayable(ctx, storage, { recordingId, storageKey });
  }
  try {
    return await write(ctx, async (tx) => {
      const make = async () => {
        const rows = await insertAll(tx, ctx, { input, storageBackend: storage.backend });
        return { id: rows[0]?.id ?? nothingToRegister(), answer: toRecordingList(rows) };
      };
      return await once(tx, { kind: 'line_recording', make, again: () => findAll(tx, ctx, input) });
    });
  } catch (error) {
    throw translateTaken(error);
  }
}

/** Refuses names and files that are taken or named twice, before any file is read. */
async function requireFree(
  { db, organizationId }: ServiceContext,
  input: readonly NewRecording[],
): Promise<void> {
  const names = input.map(({ recordingId }) => recordingId);
  // The column only allows ASCII; a key with other letters names no file.
  const keys = input.map(({ storageKey }) => storageKey).filter((key) => /^[!-~]+$/.test(key));
  const isTwice = (texts: readonly string[]) => new Set(texts).size < texts.length;
  // guarantee: duplicate-recordings-refused-unread
  if (
    isTwice(names) ||
    (await findRow(db.manager, lineRecordings, { organizationId, liveRecordingId: In(names) })) !== null
  )
    throw takenName();
  if (
    isTwice(keys) ||
    (await findRow(db.manager, lineRecordings, { organizationId, storageKey: In(keys) })) !== null
  )
    throw takenFile();
}

/** Requires an uploaded file that can be played. A file of another organization counts as missing. */
async function requirePlayable(
  { organizationId }: ServiceContext,
  storage: Storage,
  { recordingId, storageKey }: Pick<NewRecording, 'recordingId' | 'storageKey'>,
): Promise<void> {
  const facts = isLineKeyOf(organizationId, storageKey) ? await storage.facts(storageKey) : null;
  if (facts === null)
    throw new PreconditionError(`The file of recording '${recordingId}' was not uploaded`, { status: 400 });
  const chunks: Uint8Array[] = [];
  const range = { first: 0, last: Math.min(facts.bytes, lineHeaderBytes) - 1 };
  if (facts.bytes > 0) for await (const chunk of storage.read(storageKey, range)) chunks.push(chunk);
  const flaw = lineAudioFlaw(Buffer.concat(chunks));
  if (flaw !== null)
    throw new PreconditionError(
      `The file of recording '${recordingId}' cannot be played: ${flaw}. It must be ${acceptedAudio}`,
      { status: 400 },
    );
}

async function insertAll(
  tx: Write,
  ctx: ServiceContext,
  { input, storageBackend }: { input: readonly NewRecording[]; storageBackend: string },
): Promise<LineRecordingRow[]> {
  const { organizationId } = ctx;
  const now = ctx.clock.now();
  const rows: LineRecordingRow[] = [];
  for (const recording of input) {
    if (
      recording.agentId !== null &&
      (await findRow(tx, agents, { id: recording.agentId, organizationId })) === null
    )
      throw new NotFoundError('Workflow not found');
    const row = await insertRow(tx, lineRecordings, {
      ...recording,
      organizationId,
      liveRecordingId: recording.recordingId,
      storageBackend,
      createdByUserId: actingUserId(ctx),
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
    });
    await appendAudit(tx, {
      action: 'recording.registered',
      subjectKind: 'recording',
      subjectId: row.id,
      subjectKey: row.recordingId,
      states: { before: null, after: auditedRecording(row) },
    });
    rows.push(row);
  }
  return rows;
}

/** The recordings of an earlier request with the same key, in the order of the request. */
async function findAll(
  tx: EntityManager,
  { organizationId }: ServiceContext,
  input: readonly NewRecording[],
): Promise<RecordingList> {
  const rows = await findRows(tx, lineRecordings, {
    organizationId,
    storageKey: In(input.map(({ storageKey }) => storageKey)),
  });
  return toRecordingList(
    input.flatMap(({ storageKey }) => rows.find((row) => row.storageKey === storageKey) ?? []),
  );
}

function nothingToRegister(): never {
  throw new InvariantError('A request registers no recording');
}

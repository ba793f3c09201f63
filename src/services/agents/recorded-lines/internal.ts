import { In, type EntityManager } from 'typeorm';
import { findRow, selectFrom } from '../../../db/rows.ts';
import { agentVersions } from '../../../db/tables/agent-versions.ts';
import { lineRecordings, type LineRecordingRow } from '../../../db/tables/line-recordings.ts';
import { tools } from '../../../db/tables/tools.ts';
import { isDuplicate } from '../../../db/transaction.ts';
import { ConflictError, NotFoundError } from '../../../domain/errors.ts';
import { playsRecording, toolPlaysRecording } from '../../../domain/graph/recordings.ts';
import type { ServiceContext } from '../../kernel/index.ts';

const form = /^[\w-]{1,64}$/;

/**
 * Locks the recording with that name. Throws NotFoundError for one that is unknown, deleted or of another
 * organization.
 */
export async function lockRecording(
  tx: EntityManager,
  { organizationId }: ServiceContext,
  name: string,
): Promise<LineRecordingRow> {
  // Invalid names are not looked up: the column only allows ASCII, and servers refuse to compare it with
  // other letters.
  const row = form.test(name)
    ? await findRow(tx, lineRecordings, { organizationId, liveRecordingId: name }, { isLocked: true })
    : null;
  if (row === null) throw new NotFoundError('Recording not found');
  return row;
}

/** Locks a recording by its id, or by its name when no recording has that id (contract 15.2). */
export async function lockByIdOrName(
  tx: EntityManager,
  ctx: ServiceContext,
  idOrName: string,
): Promise<LineRecordingRow> {
  const byId = /^\d{1,15}$/.test(idOrName)
    ? await findRow(
        tx,
        lineRecordings,
        { id: Number(idOrName), organizationId: ctx.organizationId },
        { isLocked: true },
      )
    : null;
  return byId === null || byId.deletedAt !== null ? await lockRecording(tx, ctx, idOrName) : byId;
}

/**
 * Throws ConflictError when a draft, a published version or a tool that is not archived plays the recording.
 */
export async function requireUnused(
  tx: EntityManager,
  ctx: ServiceContext,
  { recordingId }: LineRecordingRow,
): Promise<void> {
  if ((await isPlayedByGraph(tx, ctx, recordingId)) || (await isPlayedByTool(tx, ctx, recordingId)))
    throw new ConflictError('The recording is in use');
}

// Names consist of letters, digits, `_` and `-`, so a JSON document contains them in quotes without escapes.
async function isPlayedByGraph(
  tx: EntityManager,
  { organizationId }: ServiceContext,
  recordingId: string,
): Promise<boolean> {
  const versions = await selectFrom(tx, agentVersions, { as: 'row', organizationId })
    .andWhere({ state: In(['draft', 'published']) })
    .andWhere('LOCATE(:name, row.definition) > 0', { name: `"${recordingId}"` })
    .getMany();
  return versions.some(({ definition }) => playsRecording(definition, recordingId));
}

async function isPlayedByTool(
  tx: EntityManager,
  { organizationId }: ServiceContext,
  recordingId: string,
): Promise<boolean> {
  const found = await selectFrom(tx, tools, { as: 'row', organizationId })
    .andWhere({ state: In(['active', 'draft']) })
    .andWhere('LOCATE(:name, row.definition) > 0', { name: `"${recordingId}"` })
    .getMany();
  return found.some(({ definition }) => toolPlaysRecording(definition, recordingId));
}

/** Translates a duplicate: names are unique among live recordings, files among all. */
export function translateTaken(error: unknown): unknown {
  if (isDuplicate(error, 'uq_line_recordings_live')) return takenName();
  return isDuplicate(error, 'uq_line_recordings_storage_key') ? takenFile() : error;
}

export const takenName = () => new ConflictError('A recording with this recording_id already exists');
export const takenFile = () => new ConflictError('This file is already registered');

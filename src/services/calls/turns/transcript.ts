import type { DataSource } from 'typeorm';
import { findRow } from '../../../db/rows.ts';
import { agentVersions } from '../../../db/tables/agent-versions.ts';
import { calls } from '../../../db/tables/calls.ts';
import { readAgentSettings } from '../../../domain/agents/settings.ts';
import { formatTranscript } from '../../../domain/call/transcript.ts';
import { NotFoundError } from '../../../domain/errors.ts';
import { lastCheckpoint } from './last-checkpoint.ts';
import { loadTurns } from './scene.ts';
import { wireTimestamp } from '../../kernel/index.ts';

/**
 * Renders the transcript from the live turns (contract 6.7). Throws NotFoundError, also for an erased
 * transcript.
 */
export async function renderTranscript({
  db,
  callId,
  organizationId,
}: {
  db: DataSource;
  callId: number;
  organizationId: number;
}): Promise<string> {
  const call = await findRow(db, calls, { id: callId, organizationId });
  if (call === null) throw new NotFoundError('Workflow run not found');
  if (call.transcriptErasedAt !== null)
    throw new NotFoundError(
      `The transcript of this workflow run was erased at ${wireTimestamp(call.transcriptErasedAt)}`,
    );
  const ref = { callId, organizationId };
  const [version, { branch, turnIndex }] = await Promise.all([
    findRow(db, agentVersions, { id: call.versionId, organizationId }),
    lastCheckpoint(db, ref),
  ]);
  const turns = await loadTurns({ deps: { db }, input: ref, through: { branch, turnIndex } });
  const { includesEndTimestamps } = readAgentSettings(version?.settings ?? {});
  return formatTranscript(
    turns.flatMap(({ lines }) => lines),
    { includeEndTimestamps: includesEndTimestamps },
  );
}

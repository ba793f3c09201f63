import type { DataSource } from 'typeorm';
import { agentVersions } from '../../db/tables/agent-versions.ts';
import { calls } from '../../db/tables/calls.ts';
import { textSessions } from '../../db/tables/text-sessions.ts';
import { formatTranscript } from '../../domain/call/transcript.ts';
import { NotFoundError } from '../../domain/errors.ts';
import { own, ownObject } from '../../domain/graph/definition.ts';
import { readBoolean } from '../../domain/graph/fields.ts';
import { loadTurns } from '../conversation/index.ts';
import { wireMoment } from '../wire-moment.ts';

/** The transcript's text, made from the turns that count (contract 6.7). Throws NotFoundError, also for one that was erased. */
export async function renderTranscript({ db, callId, organizationId }: { db: DataSource; callId: number; organizationId: number }): Promise<string> {
  const call = await db.getRepository(calls).findOneBy({ id: callId, organizationId });
  if (call === null) throw new NotFoundError('Workflow run not found');
  if (call.transcriptErasedAt !== null) throw new NotFoundError(`The transcript of this workflow run was erased at ${wireMoment(call.transcriptErasedAt)}`);
  const [version, session] = await Promise.all([
    db.getRepository(agentVersions).findOneBy({ id: call.versionId, organizationId }),
    db.getRepository(textSessions).findOneBy({ callId, organizationId }),
  ]);
  const checkpoint = session?.checkpoint ?? null;
  const through = { branch: checkpoint?.branch ?? 0, turnIndex: checkpoint?.turnIndex ?? -1 };
  const turns = await loadTurns({ deps: { db }, input: { callId, organizationId }, through });
  const includeEndTimestamps = readBoolean(own(ownObject(version?.settings ?? {}, 'transcript_configuration'), 'include_end_timestamps')) === true;
  return formatTranscript(turns.flatMap(({ lines }) => lines), { includeEndTimestamps });
}

import type { DataSource } from 'typeorm';
import { acrossOrganizations, findRow } from '../../../db/rows.ts';
import { calls } from '../../../db/tables/calls.ts';
import { isUuid } from '../../../domain/uuid.ts';

export interface PublicCall {
  callId: number;
  organizationId: number;
  hasTranscript: boolean;
  hasRecording: boolean;
  /** When the transcript was erased; null while it is kept. */
  transcriptErasedAt: Date | null;
}

/**
 * Finds the call of a public token (contract 6.9). The token is the only credential, so the query spans
 * organizations.
 */
export async function findCallByPublicToken({
  db,
  token,
}: {
  db: DataSource;
  token: string;
}): Promise<PublicCall | null> {
  if (!isUuid(token)) return null;
  const call = await findRow(acrossOrganizations(db, 'the public token is the only credential'), calls, {
    publicToken: token,
  });
  return call === null
    ? null
    : {
        callId: call.id,
        organizationId: call.organizationId,
        hasTranscript: call.transcriptAvailable,
        hasRecording: call.recordedAt !== null,
        transcriptErasedAt: call.transcriptErasedAt,
      };
}

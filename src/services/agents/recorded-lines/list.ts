import { IsNull } from 'typeorm';
import type { RecordingList } from '../../../contract/recordings.ts';
import { findRows } from '../../../db/rows.ts';
import { lineRecordings } from '../../../db/tables/line-recordings.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { toRecordingList } from './mapper.ts';

/** Selects recordings with these values; absent = all. */
export interface RecordingFilter {
  agentId?: number | undefined;
  ttsProvider?: string | undefined;
  ttsModel?: string | undefined;
  ttsVoiceId?: string | undefined;
}

/** The organization's recordings, newest first (contract 15.2). */
export async function listRecordings({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: RecordingFilter;
}): Promise<RecordingList> {
  const wanted = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  return toRecordingList(
    await findRows(
      ctx.db,
      lineRecordings,
      { ...wanted, organizationId: ctx.organizationId, deletedAt: IsNull() },
      { order: { id: 'DESC' } },
    ),
  );
}

import type { DataSource } from 'typeorm';
import type { TextSessionRow } from '../../../db/tables/text-sessions.ts';
import type { Checkpoint } from '../../../domain/call/checkpoint.ts';
import type { PriceList } from '../../../domain/call/cost.ts';
import type { InstalledVoice } from '../../../domain/models/resolved-voice.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Ids } from '../../../runtime/ids.ts';
import type { Logger } from '../../../runtime/logger.ts';
import type { LlmDeps } from '../../models/index.ts';

/** What the conversation needs of the world. */
export interface ConversationDeps extends LlmDeps {
  db: DataSource;
  clock: Clock;
  ids: Ids;
  log: Logger;
  /** What tokens cost; absent = calls have no cost. */
  prices?: PriceList | undefined;
  /** What the installation speaks and listens by; absent where no call is spoken. */
  voice?: InstalledVoice | undefined;
  /** Base URL of public links. */
  publicUrl: string;
  /** Where people find the trace of what runs now; null when nobody will. Absent = nothing is traced. */
  traceUrl?: () => string | null;
}

/** What `text_sessions.checkpoint` holds: the conversation's checkpoint and the failed turns so far. */
export interface StoredCheckpoint extends Checkpoint {
  failures: number;
}

/** Failed turns of a text session so far. */
export function failuresOf({ checkpoint }: Pick<TextSessionRow, 'checkpoint'>): number {
  return checkpoint !== null && 'failures' in checkpoint && typeof checkpoint.failures === 'number'
    ? checkpoint.failures
    : 0;
}

import type { DataSource } from 'typeorm';
import type { TextSessionRow } from '../../../db/tables/text-sessions.ts';
import type { Checkpoint } from '../../../domain/call/checkpoint.ts';
import type { PriceList } from '../../../domain/call/cost.ts';
import type { InstalledVoice } from '../../../domain/models/resolved-voice.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Ids } from '../../../runtime/ids.ts';
import type { Logger } from '../../../runtime/logger.ts';
import type { LlmDeps } from '../../models/index.ts';
import type { DeliveryPump } from '../../webhooks/index.ts';
import type { KeptScenes } from './kept-scenes.ts';

/** Dependencies of a conversation. */
export interface ConversationDeps extends LlmDeps {
  db: DataSource;
  clock: Clock;
  ids: Ids;
  log: Logger;
  /** Absent = every turn reads its scene. */
  scenes?: KeptScenes | undefined;
  /** Prices of tokens; absent = calls have no cost. */
  prices?: PriceList | undefined;
  /** The installation's voice and recognizer; absent in processes without spoken calls. */
  voice?: InstalledVoice | undefined;
  /** Base URL of public links. */
  publicUrl: string;
  /**
   * URL of the trace of the running code, for people; null when the trace is not kept. Absent = no tracing.
   */
  traceUrl?: () => string | null;
  /** W3C `traceparent` of the running code; null without tracing. */
  traceparent?: () => string | null;
  /** The pump of this process, which gets the webhooks as they are committed; absent in processes without one. */
  pump?: Pick<DeliveryPump, 'wake' | 'handover'> | undefined;
}

/** The content of `text_sessions.checkpoint`: the conversation's checkpoint and the failed turns so far. */
export interface StoredCheckpoint extends Checkpoint {
  failures: number;
}

/** Number of failed turns of a text session so far. */
export function failuresOf({ checkpoint }: Pick<TextSessionRow, 'checkpoint'>): number {
  return checkpoint !== null && 'failures' in checkpoint && typeof checkpoint.failures === 'number'
    ? checkpoint.failures
    : 0;
}

import type { AgentModels } from '../../domain/agents/settings.ts';
import type { TurnAnalyzer } from '../../domain/turn-taking/analyzer.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import type { ConversationDeps } from '../../services/calls/index.ts';
import type { AbsenceTimes, CallDrivers } from './absence.ts';
import type { LiveLegs } from '../sessions.ts';
import type { JournalWriter } from './journal-writer.ts';
import type { HostClocks } from './now.ts';
import type { CallVoices } from './voices.ts';

/** What a media host needs to hold conversations. */
export interface SpeakingDeps extends HostClocks {
  conversation: ConversationDeps;
  legs: LiveLegs;
  /** The voices and the recognizer of an agent, by the settings of the pinned version. */
  voicesFor(asked: { organizationId: number; settings: AgentModels }): Promise<CallVoices>;
  /** A recorded line; null when the organization has none of this id. */
  findRecordedLine(asked: {
    organizationId: number;
    recordingId: string;
    sampleRate: 8000 | 16000;
  }): Promise<RecordedLine | null>;
  analyzer: TurnAnalyzer;
  journal: JournalWriter;
  drivers: CallDrivers;
  /** Replaces the times of `Absence`. */
  absenceTimes?: Partial<AbsenceTimes>;
  metrics: Metrics;
  log: Logger;
}

export interface RecordedLine {
  samples: Int16Array;
  /** Its transcript; null when there is none. */
  text: string | null;
}

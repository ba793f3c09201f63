import { unlistedDefaults } from '../../contract/data/default-settings.ts';
import type { AgentSettings } from '../agents/settings.ts';
import { backchannelsOf } from './backchannels.ts';
import type { TurnSettings } from './types.ts';

/** What the agent's settings do not say. */
export interface TurnCircumstances {
  /** BCP 47 of the recognizer, or `multi`. */
  language: string;
  channel: { kind: 'phone' | 'web'; direction: 'inbound' | 'outbound' };
  recognizer: { p99FinalMs: number; hasInterims: boolean; marksTurns: boolean };
  /** How long media have flowed on hosts before this one; absent = this is the first. */
  usedMs?: number;
  /** How long before the limit the closing line begins, instead of 10 s. */
  closingLeadMs?: number;
}

/** How long before the limit the closing line begins. */
const defaultClosingLeadMs = 10_000;

/** What the agent's settings mean for turns (contract 3.2) in these circumstances. */
export function readTurnSettings(
  settings: AgentSettings,
  { language, channel, recognizer, usedMs = 0, closingLeadMs = defaultClosingLeadMs }: TurnCircumstances,
): TurnSettings {
  const { usual, recognizerMarksTurns } = unlistedDefaults.user_turn_stop_timeout;
  return {
    startStrategy: recognizer.marksTurns ? 'default' : settings.turnStartStrategy,
    minWords: settings.turnStartMinWords,
    provisionalPauseMs: settings.provisionalPauseMs,
    stopStrategy: settings.turnStopStrategy,
    smartTurnStopMs: settings.smartTurnStopMs,
    userTurnStopTimeoutMs:
      settings.userTurnStopTimeoutMs ?? 1000 * (recognizer.marksTurns ? recognizerMarksTurns : usual),
    idleMs: settings.maxUserIdleMs,
    maxDurationMs: Math.max(0, settings.maxCallDurationMs - usedMs),
    closingLeadMs: Math.min(closingLeadMs, settings.maxCallDurationMs / 2),
    ...recognizer,
    language,
    backchannels: backchannelsOf(language),
    voicemail: usedMs === 0 ? voicemailOf(settings, channel) : null,
  };
}

/** Off unless it is turned on, and only on calls that we dialed: an answering machine does not call us. */
function voicemailOf(
  { voicemailDetection: { isEnabled, longSpeechMs } }: AgentSettings,
  { kind, direction }: TurnCircumstances['channel'],
): TurnSettings['voicemail'] {
  return isEnabled && kind === 'phone' && direction === 'outbound' ? { longSpeechMs } : null;
}

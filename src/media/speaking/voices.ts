import type { SttPort } from '../../providers/stt/port.ts';
import type { Clips } from '../../providers/tts/clips.ts';
import type { TtsPort, TtsVoice } from '../../providers/tts/port.ts';

/** A voice for a call. */
export interface CallVoice {
  tts: TtsPort;
  voice: TtsVoice;
  /** `provider|||model`, as in usage (contract 6.6). */
  service: string;
  /** Sound in this voice that was made ahead. */
  clips: Pick<Clips, 'ready' | 'prime'>;
}

/** The voices and the recognizer of a call, as configured when it got its seat. */
export interface CallVoices {
  /** In order of preference. */
  voices: CallVoice[];
  stt: SttPort;
  sttModel: string | null;
  /** `provider|||model`. */
  sttService: string;
  /** BCP 47: the agent's language, and the recognizer's. */
  language: string;
  sttLanguage: string;
}

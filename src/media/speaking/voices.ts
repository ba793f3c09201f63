import type { SttPort } from '../../providers/stt/port.ts';
import type { Clips } from '../../providers/tts/clips.ts';
import type { TtsPort, TtsVoice } from '../../providers/tts/port.ts';

/** A voice that a call may speak with. */
export interface CallVoice {
  tts: TtsPort;
  voice: TtsVoice;
  /** `provider|||model`, as usage has it (contract 6.6). */
  service: string;
  /** Sound in this voice that was made ahead. */
  clips: Pick<Clips, 'ready' | 'prime'>;
}

/** The ears and the mouth of a call, as configured when it was placed here. */
export interface CallVoices {
  /** In the order in which they are tried. */
  voices: CallVoice[];
  stt: SttPort;
  sttModel: string | null;
  /** `provider|||model`. */
  sttService: string;
  /** BCP 47: of what the agent says, and of what it hears. */
  language: string;
  sttLanguage: string;
}

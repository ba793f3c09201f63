import type { AfterSpeaking, SpeakStepInput } from '../../domain/call/voice.ts';

/** What ends the current step, or the next one, whatever the agent says in it. */
export class CallEnds {
  /** The stream is over. */
  isGone = false;
  /** The maximum duration of the call has passed. */
  isTimeUp = false;
  /** An answering machine took the call. */
  isMachine = false;
  /** The recognizer gave up; null while it works. */
  stall: Extract<AfterSpeaking, { kind: 'fault' }> | null = null;

  /** How a step ends if one of these happened before it; null when it may begin. */
  beforeStep({ say, listens }: Pick<SpeakStepInput, 'say' | 'listens'>): AfterSpeaking | null {
    if (this.isGone) return { kind: 'gone' };
    if (this.isMachine && say.kind === 'reply') return { kind: 'voicemail' };
    return this.isTimeUp && listens ? { kind: 'time_up' } : null;
  }
}

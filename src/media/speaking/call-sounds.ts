import { fixedLine, type FixedLine } from '../../domain/speech/fixed-lines.ts';
import type { VoiceLeg } from '../leg.ts';
import type { CallVoice, CallVoices } from './voices.ts';

/** The voice of a call, and the sound that was made ahead in it. */
export class CallSounds {
  readonly #voices: CallVoices;
  readonly #sampleRate: VoiceLeg['sampleRate'];
  #voice = 0;

  constructor(voices: CallVoices, sampleRate: VoiceLeg['sampleRate']) {
    this.#voices = voices;
    this.#sampleRate = sampleRate;
  }

  /** Index of the first voice that has not failed in this call. */
  get voice(): number {
    return this.#voice;
  }

  /** Speaks with this voice from now on; the last one when none is left. */
  speakWith(voice: number): void {
    this.#voice = Math.min(voice, Math.max(0, this.#voices.voices.length - 1));
  }

  /** The sound of a text, if it was made ahead. */
  clip(text: string): Int16Array | null {
    const voice = this.#voices.voices[this.#voice] ?? this.#voices.voices[0];
    return voice === undefined ? null : this.#clipOf(voice, text);
  }

  /** The first of these lines that has sound in any voice. */
  anyClip(names: readonly FixedLine[]): { text: string; samples: Int16Array } | null {
    for (const name of names) {
      const text = fixedLine(name, this.#voices.language);
      for (const voice of this.#voices.voices) {
        const samples = this.#clipOf(voice, text);
        if (samples !== null) return { text, samples };
      }
    }
    return null;
  }

  /** The line in the first voice, made now if it has no sound yet; null if no voice can. */
  async madeClip(
    name: FixedLine,
    signal: AbortSignal,
  ): Promise<{ text: string; samples: Int16Array } | null> {
    const text = fixedLine(name, this.#voices.language);
    for (const { clips, voice } of this.anyClip([name]) === null ? this.#voices.voices : []) {
      await clips.prime([{ voice, text, sampleRate: this.#sampleRate }], signal);
      if (this.anyClip([name]) !== null) break;
    }
    return this.anyClip([name]);
  }

  #clipOf({ clips, voice }: CallVoice, text: string): Int16Array | null {
    return clips.ready({ voice, text, sampleRate: this.#sampleRate });
  }
}

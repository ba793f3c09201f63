import type { TtsVoice } from './port.ts';

const firstGuessMs = 60;
/** Fewer characters are not representative. */
const minCharacters = 15;
const maxVoices = 500;

/** Milliseconds per character of each voice, learned from its replies. */
export class VoicePace {
  readonly #msPerCharacter = new Map<string, number>();

  msPerCharacter(voice: TtsVoice): number {
    return this.#msPerCharacter.get(keyOf(voice)) ?? firstGuessMs / (voice.speakingRate ?? 1);
  }

  /** Learns from a complete stream. */
  learn(voice: TtsVoice, { characters, ms }: { characters: number; ms: number }): void {
    if (characters < minCharacters || ms <= 0) return;
    const key = keyOf(voice);
    const known = this.#msPerCharacter.get(key);
    const measured = ms / characters;
    if (known === undefined && this.#msPerCharacter.size >= maxVoices) this.#msPerCharacter.clear();
    this.#msPerCharacter.set(key, known === undefined ? measured : known + (measured - known) * 0.2);
  }
}

const keyOf = ({ model, voice, language, speakingRate }: TtsVoice): string =>
  JSON.stringify([model, voice, language, speakingRate ?? 1]);

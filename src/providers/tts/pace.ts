import type { TtsVoice } from './port.ts';

const firstGuessMs = 60;
/** Of few characters nothing can be learned. */
const minCharacters = 15;
const maxVoices = 500;

/** How long voices take for a character, learned from what they said. */
export class VoicePace {
  readonly #msPerCharacter = new Map<string, number>();

  msPerCharacter(voice: TtsVoice): number {
    return this.#msPerCharacter.get(keyOf(voice)) ?? firstGuessMs / (voice.speakingRate ?? 1);
  }

  /** A whole stream took so long. */
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

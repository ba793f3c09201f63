import type { TtsVoice } from './port.ts';

/** Google's limits of the speaking rate. */
const rates = { min: 0.25, max: 2 };

/**
 * The full name of a Chirp 3 HD voice contains the language, so a bare name (`Kore`) gets it. Voices with a
 * separate model (Gemini) keep their bare name.
 */
export function googleVoice({ model, voice, language }: TtsVoice): {
  languageCode: string;
  name: string;
  modelName?: string;
} {
  const isChirp = model === null || /chirp/i.test(model);
  if (!isChirp) return { languageCode: language, name: voice, modelName: model };
  return {
    languageCode: voice.includes('-') ? voice.split('-').slice(0, 2).join('-') : language,
    name: voice.includes('-') ? voice : `${language}-Chirp3-HD-${voice}`,
  };
}

export function googleRate({ speakingRate = 1 }: TtsVoice): number {
  return Math.min(rates.max, Math.max(rates.min, speakingRate));
}

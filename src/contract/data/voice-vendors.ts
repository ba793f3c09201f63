/** Vendors of voices and speech recognition for customers to choose (contract 13.2, 13.3). Plain data. */

export interface Voice {
  /** Id in settings. */
  id: string;
  gender: 'female' | 'male' | 'neutral';
}

export interface TtsVendor {
  title: string;
  /** The first is the default. */
  models: readonly string[];
  /** Whether settings may name models that are not listed. */
  hasOtherModels: boolean;
  voices: readonly Voice[];
  /** Whether settings may name voices that are not listed. */
  hasOtherVoices: boolean;
  /** Examples of languages. The vendor may support more. */
  languages: readonly string[];
  /** Limits of the speed. 1 is the usual speed. */
  speed: { min: number; max: number };
  /** Fields for the key. */
  secretFields: readonly ('api_key' | 'credentials')[];
}

export interface SttVendor {
  title: string;
  /** The first is the default. */
  models: readonly string[];
  /** Whether settings may name models that are not listed. */
  hasOtherModels: boolean;
  languages: readonly string[];
}

const voices = (gender: Voice['gender'], names: string): Voice[] =>
  names.split(' ').map((id) => ({ id, gender }));
const languages =
  'en-US en-GB en-AU en-IN de-DE es-ES es-US fr-FR fr-CA it-IT pt-BR nl-NL pl-PL sv-SE da-DK nb-NO fi-FI tr-TR uk-UA ru-RU ar-XA hi-IN id-ID ja-JP ko-KR cmn-CN th-TH vi-VN'.split(
    ' ',
  );
const byName = (all: Voice[]): Voice[] =>
  all.toSorted((left, right) => left.id.localeCompare(right.id, 'en'));

export const ttsVendors = {
  google: {
    title: 'Google Cloud Text-to-Speech, Chirp 3 HD',
    models: ['chirp_3_hd'],
    hasOtherModels: false,
    voices: byName([
      ...voices(
        'female',
        'Kore Achernar Aoede Autonoe Callirrhoe Despina Erinome Gacrux Laomedeia Leda Pulcherrima Sulafat Vindemiatrix Zephyr',
      ),
      ...voices(
        'male',
        'Achird Algenib Algieba Alnilam Charon Enceladus Fenrir Iapetus Orus Puck Rasalgethi Sadachbia Sadaltager Schedar Umbriel Zubenelgenubi',
      ),
    ]),
    hasOtherVoices: false,
    languages,
    speed: { min: 0.25, max: 2 },
    secretFields: ['credentials', 'api_key'],
  },
  openai: {
    title: 'OpenAI speech',
    models: ['gpt-4o-mini-tts', 'tts-1', 'tts-1-hd'],
    hasOtherModels: true,
    voices: voices('neutral', 'alloy ash ballad cedar coral echo fable marin nova onyx sage shimmer verse'),
    hasOtherVoices: true,
    languages,
    speed: { min: 0.25, max: 4 },
    secretFields: ['api_key'],
  },
} as const satisfies Record<string, TtsVendor>;

export const sttVendors = {
  telnyx: {
    title: 'Telnyx streaming, Deepgram engine',
    models: ['nova-3', 'nova-2'],
    hasOtherModels: false,
    languages,
  },
  openai: {
    title: 'OpenAI realtime transcription',
    models: ['gpt-live-transcribe', 'gpt-transcribe'],
    hasOtherModels: true,
    languages,
  },
} as const satisfies Record<string, SttVendor>;

export const defaultSttVendor = 'telnyx' satisfies keyof typeof sttVendors;

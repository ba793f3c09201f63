/**
 * The vendors of voices and of speech recognition that customers may choose (contract 13.2, 13.3). Plain
 * data.
 */

export interface Voice {
  /** As settings name it. */
  id: string;
  gender: 'female' | 'male' | 'neutral';
}

export interface TtsVendor {
  title: string;
  /** The first one is taken where none is named. Closed: no other can be asked. */
  models: readonly string[];
  hasOtherModels: boolean;
  voices: readonly Voice[];
  hasOtherVoices: boolean;
  /** Examples of languages; the vendor may know more. */
  languages: readonly string[];
  /** Of 1 = as fast as usual. */
  speed: { min: number; max: number };
  /** Where a key is given. */
  secretFields: readonly ('api_key' | 'credentials')[];
}

export interface SttVendor {
  title: string;
  /** The first one is taken where none is named. */
  models: readonly string[];
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

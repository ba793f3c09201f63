import { defaultTts } from '../../src/domain/models/resolved-voice.ts';
import type { TtsAudio, TtsPort } from '../../src/providers/tts/port.ts';
import type { SampleVoices } from '../../src/services/models/index.ts';

/** A voice that says every clause as a tenth of a second of silence. */
const quietTts: TtsPort = {
  simulated: true,
  provider: 'simulated',
  open({ sampleRate }) {
    let characters = 0;
    let clauses = 0;
    return {
      say(clause) {
        characters += clause.length;
        clauses += 1;
      },
      end: () => undefined,
      get characters() {
        return characters;
      },
      audio: {
        async *[Symbol.asyncIterator](): AsyncGenerator<TtsAudio> {
          for (let clause = 0; clause < clauses; clause += 1)
            yield { samples: new Int16Array(sampleRate / 10), clause, isExact: true, isLastOfClause: true };
        },
      },
    };
  },
  warm: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/** Google's voices are the installation's. */
export const fakeVoices: SampleVoices = { installed: defaultTts, portOf: () => quietTts };

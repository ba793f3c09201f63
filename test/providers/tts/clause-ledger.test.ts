import { describe, expect, test } from '@jest/globals';
import { ClauseLedger } from '../../../src/providers/tts/clause-ledger.ts';
import { googleVoice } from '../../../src/providers/tts/google-voice.ts';
import { VoicePace } from '../../../src/providers/tts/pace.ts';

const shape = (pieces: ReturnType<ClauseLedger['take']>) =>
  pieces.map(({ samples, clause, isExact, isLastOfClause }) => [
    clause,
    samples.length,
    isExact,
    isLastOfClause,
  ]);

describe('the clause that sound belongs to', () => {
  test('is exact while one clause was sent', () => {
    const ledger = new ClauseLedger(10);
    ledger.add(0, 5);
    expect(shape(ledger.take(new Int16Array(80)))).toEqual([[0, 80, true, false]]);
    expect(shape(ledger.close())).toEqual([[0, 0, true, true]]);
  });

  test("is estimated by the voice's pace for several clauses, and is never an unsent one", () => {
    const ledger = new ClauseLedger(10);
    ledger.add(0, 5);
    ledger.add(1, 3);
    expect(shape(ledger.take(new Int16Array(70)))).toEqual([
      [0, 50, false, true],
      [1, 20, false, false],
    ]);
    ledger.take(new Int16Array(40));
    ledger.add(2, 2);
    expect(shape(ledger.take(new Int16Array(5)))).toEqual([
      [1, 0, false, true],
      [2, 5, false, false],
    ]);
    expect(shape(ledger.close())).toEqual([[2, 0, false, true]]);
  });

  test('is closed for all clauses at the end of the stream, even for those without sound', () => {
    const ledger = new ClauseLedger(10);
    ledger.add(4, 5);
    ledger.add(5, 5);
    ledger.add(6, 5);
    ledger.take(new Int16Array(60));
    expect(shape(ledger.close())).toEqual([
      [5, 0, false, true],
      [6, 0, false, true],
    ]);
    expect(ledger.close()).toEqual([]);
  });
});

describe('the pace of a voice', () => {
  const voice = { model: null, voice: 'Kore', language: 'en-US' };

  test('is 60 ms per character at first, then learned from replies', () => {
    const pace = new VoicePace();
    expect(pace.msPerCharacter(voice)).toBe(60);
    expect(pace.msPerCharacter({ ...voice, speakingRate: 2 })).toBe(30);
    pace.learn(voice, { characters: 100, ms: 8_000 });
    expect(pace.msPerCharacter(voice)).toBe(80);
    pace.learn(voice, { characters: 100, ms: 7_000 });
    expect(pace.msPerCharacter(voice)).toBeCloseTo(78);
    pace.learn(voice, { characters: 3, ms: 900 });
    expect(pace.msPerCharacter(voice)).toBeCloseTo(78);
    expect(pace.msPerCharacter({ ...voice, voice: 'Puck' })).toBe(60);
  });
});

test("Google's voices get their language in their name, other voices do not", () => {
  expect(googleVoice({ model: 'chirp_3_hd', voice: 'Kore', language: 'de-DE' })).toEqual({
    languageCode: 'de-DE',
    name: 'de-DE-Chirp3-HD-Kore',
  });
  expect(googleVoice({ model: null, voice: 'en-US-Chirp3-HD-Kore', language: 'de-DE' })).toEqual({
    languageCode: 'en-US',
    name: 'en-US-Chirp3-HD-Kore',
  });
  expect(googleVoice({ model: 'gemini-2.5-flash-tts', voice: 'Kore', language: 'de-DE' })).toEqual({
    languageCode: 'de-DE',
    name: 'Kore',
    modelName: 'gemini-2.5-flash-tts',
  });
});

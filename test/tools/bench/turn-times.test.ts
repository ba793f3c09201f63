import { describe, expect, test } from '@jest/globals';
import type { TurnTimings } from '../../../src/domain/call/voice.ts';
import { turnTimes } from '../../../tools/bench/phone/turn-times.ts';

const delays = { firstTokenMs: 350, firstAudioMs: 150 };

/**
 * The model is asked 100 ms after the caller's last sound; the decision follows after 600; the step is
 * claimed 20 later; all our own work takes 5.
 */
const timings: TurnTimings = {
  zeroAt: '2026-11-22T05:00:00.000Z',
  speechEndMs: 0,
  turnDecidedMs: 600,
  claimedMs: 620,
  llmSentMs: 400,
  llmFirstTokenMs: 760,
  firstClauseMs: 762,
  ttsSentMs: 765,
  ttsFirstByteMs: 925,
  firstFrameSentMs: 930,
  interruptedMs: null,
  playoutEndMs: null,
};

describe('the overhead of a spoken turn', () => {
  test('is the time since the decision without the simulated provider times after it', () => {
    // 930 - 600 = 330; of the model's 350 from 400 on 150 lie after the decision, of the voice's all 150.
    expect(turnTimes(timings, delays)).toMatchObject({ wholeMs: 330, overheadMs: 30 });
  });

  test('measured by the host excludes the whole time that it waited for providers after the decision', () => {
    expect(turnTimes(timings, delays)?.seenOverheadMs).toBe(330 - 160 - 160);
  });

  test('is the whole time when the providers take none', () => {
    expect(turnTimes(timings, { firstTokenMs: 0, firstAudioMs: 0 })?.overheadMs).toBe(330);
  });

  test('includes the wait for the claim when the sound was ready before it, and nothing when the sound came later', () => {
    const early = {
      ...timings,
      llmSentMs: 100,
      llmFirstTokenMs: 455,
      firstClauseMs: 458,
      ttsSentMs: 602,
      ttsFirstByteMs: 755,
      claimedMs: 640,
      firstFrameSentMs: 760,
    };
    expect(turnTimes(early, delays)).toMatchObject({
      wholeMs: 160,
      overheadMs: 10,
      seenOverheadMs: 7,
      stages: { first_sound_to_frame: 5 },
    });
    const late = { ...early, claimedMs: 800, firstFrameSentMs: 805 };
    expect(turnTimes(late, delays)).toMatchObject({
      wholeMs: 205,
      overheadMs: 55,
      seenOverheadMs: 52,
      stages: { first_sound_to_frame: 50 },
    });
  });

  test('is not reduced by a model that finished before the decision', () => {
    const early = {
      ...timings,
      llmSentMs: 100,
      llmFirstTokenMs: 455,
      ttsSentMs: 622,
      ttsFirstByteMs: 775,
      firstFrameSentMs: 780,
    };
    expect(turnTimes(early, delays)).toMatchObject({ wholeMs: 180, overheadMs: 30, seenOverheadMs: 27 });
  });
});

test('the stages of a turn are reported separately', () => {
  expect(turnTimes(timings, delays)?.stages).toEqual({
    speech_end_to_decision: 600,
    decision_to_claim: 20,
    model: 360,
    first_token_to_voice: 5,
    voice: 160,
    first_sound_to_frame: 5,
  });
});

test('a turn that answers no speech, or that was not heard, is not counted', () => {
  expect(
    [
      null,
      { ...timings, speechEndMs: null },
      { ...timings, firstFrameSentMs: null },
      { ...timings, llmSentMs: null },
    ].map((each) => turnTimes(each, delays)),
  ).toEqual([null, null, null, null]);
});

import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { BehaviorInput } from '../../../emulators/tts/behavior.ts';
import { ProviderError } from '../../../src/domain/errors.ts';
import { defaultTtsTimeouts, type TtsPort } from '../../../src/providers/tts/port.ts';
import { createManualTimer } from '../../support/manual-timer.ts';
import {
  hearReply,
  startTtsBench,
  textOf,
  voices,
  type TtsBench,
  type TtsVendor,
} from '../../support/tts-emulator.ts';
import { until } from '../../support/until.ts';

const clauses = ['Good morning Ana, ', 'how are you on this fine day? ', 'I hope that all is well.'];
/** At the speed of speech, each takes minutes: none is over before the test leaves, however busy the machine is. */
const minutes = clauses.map((clause) => clause.repeat(100));

/** The contract of every TtsPort. */
export function describeConformance(vendor: TtsVendor): void {
  describe(`the port of ${vendor}`, () => {
    let bench: TtsBench;
    let tts: TtsPort;
    const voice = voices[vendor];
    beforeAll(async () => {
      // A request over a connection that the vendor closes at that moment fails, which is not what is tested here.
      bench = await startTtsBench({ keepAliveMs: 75_000 });
      // No time limit passes by itself, however busy the machine is.
      tts = bench.tts(vendor, { timer: createManualTimer() });
    });
    afterEach(() => bench.emulator.behaviors.set([]));
    afterAll(async () => await bench.close());
    const that = (behavior: BehaviorInput): void => bench.emulator.behaviors.set([behavior]);

    for (const sampleRate of [8000, 16000, 24000] as const) {
      test(`speaks all clauses, in order and in full, at ${sampleRate} samples per second`, async () => {
        const reply = hearReply(tts, { voice, sampleRate }, clauses);
        expect(await reply.ended).toBeNull();
        expect(reply.text()).toBe(clauses.join(''));
        const samples = reply.pieces.reduce((sum, piece) => sum + piece.samples.length, 0);
        expect(samples).toBe((clauses.join('').length * 60 * sampleRate) / 1000);
      });
    }

    test('closes every clause once, in order, and marks the clause of each piece', async () => {
      const reply = hearReply(tts, { voice }, clauses);
      await reply.ended;
      expect(reply.pieces.filter(({ isLastOfClause }) => isLastOfClause).map(({ clause }) => clause)).toEqual(
        [0, 1, 2],
      );
      for (const [index, clause] of clauses.entries()) {
        const own = reply.pieces.filter((piece) => piece.clause === index);
        expect(textOf(own, 8000)).toBe(clause);
        expect(own.at(-1)?.isLastOfClause).toBe(true);
      }
    });

    test('sends sound before later clauses exist, whatever time passes between them', async () => {
      bench.emulator.log.clear();
      const timer = createManualTimer();
      const reply = hearReply(bench.tts(vendor, { timer }), { voice }, ['First of all. '], { isOpen: true });
      await until(
        'the first clause, after which no sound is owed',
        async () =>
          reply.text().startsWith('First of all.') &&
          timer.pending().every((delayMs) => delayMs === defaultTtsTimeouts.idleMs),
      );
      timer.advance(60_000);
      await until('the end of the first request', async () =>
        bench.emulator.log.entries().every(({ ended }) => ended === 'complete'),
      );
      reply.stream.say('Then the second. ');
      await until('the second clause', async () => reply.text().includes('second.'));
      reply.stream.end();
      expect(await reply.ended).toBeNull();
      expect(reply.text()).toBe('First of all. Then the second. ');
      expect(reply.pieces.filter(({ isLastOfClause }) => isLastOfClause).map(({ clause }) => clause)).toEqual(
        [0, 1],
      );
    });

    test('ends without sound for a reply without speakable text', async () => {
      const none = hearReply(tts, { voice }, []);
      expect(await none.ended).toBeNull();
      expect(none.pieces).toEqual([]);
      const dots = hearReply(tts, { voice }, ['... ']);
      expect(await dots.ended).toBeNull();
      expect(
        dots.pieces.map(({ samples, clause, isLastOfClause }) => [samples.length, clause, isLastOfClause]),
      ).toEqual([[0, 0, true]]);
      expect(dots.stream.characters).toBe(0);
    });

    test('counts characters as they are sent', async () => {
      const reply = hearReply(tts, { voice }, clauses);
      await reply.ended;
      expect(reply.stream.characters).toBe(clauses.join('').length);
    });

    test("speaks a clause in full that exceeds the vendor's limit", async () => {
      const long = `${'All work and no play. '.repeat(228)}End.`;
      const reply = hearReply(tts, { voice }, [long]);
      expect(await reply.ended).toBeNull();
      expect(reply.text()).toBe(long);
      expect(reply.pieces.filter(({ isLastOfClause }) => isLastOfClause).length).toBe(1);
    });

    test('throws an error that is not retryable at once on an abort, and closes the connection', async () => {
      that({ rate: 1 });
      const controller = new AbortController();
      const reply = hearReply(tts, { voice, signal: controller.signal }, minutes);
      await until('the first sound', async () => reply.pieces.length > 0);
      controller.abort();
      const error = await reply.ended;
      expect(error).toMatchObject({ provider: 'tts', retryable: false, reason: 'aborted' });
      const heard = reply.pieces.length;
      reply.stream.say('More. ');
      await until('the vendor sees it', async () =>
        bench.emulator.log.entries().every(({ ended }) => ended !== 'open'),
      );
      expect(bench.emulator.log.entries().at(-1)).toMatchObject({ ended: 'client_left' });
      expect(reply.pieces.length).toBe(heard);
    });

    test('sends nothing after an abort, not even sound that had arrived', async () => {
      bench.emulator.log.clear();
      const controller = new AbortController();
      const stream = tts.open({ voice, sampleRate: 8000, signal: controller.signal });
      for (const clause of clauses) stream.say(clause);
      stream.end();
      await until(
        'all was said',
        async () =>
          bench.emulator.log.entries().length > 0 &&
          bench.emulator.log.entries().every(({ ended }) => ended === 'complete'),
      );
      controller.abort();
      const pieces: unknown[] = [];
      const read = async () => {
        for await (const piece of stream.audio) pieces.push(piece);
      };
      await expect(read()).rejects.toMatchObject({ reason: 'aborted' });
      expect(pieces).toEqual([]);
    });

    test('sends no request for a reply that was aborted before', async () => {
      bench.emulator.log.clear();
      const reply = hearReply(tts, { voice, signal: AbortSignal.abort() }, clauses);
      expect(await reply.ended).toMatchObject({ reason: 'aborted' });
      expect(bench.emulator.log.entries()).toEqual([]);
    });

    test('closes the connection when the reader leaves the loop', async () => {
      that({ rate: 1 });
      bench.emulator.log.clear();
      const stream = tts.open({ voice, sampleRate: 8000, signal: new AbortController().signal });
      for (const clause of minutes) stream.say(clause);
      for await (const { samples } of stream.audio) if (samples.length > 0) break;
      await until('the vendor sees it', async () =>
        bench.emulator.log.entries().every(({ ended }) => ended === 'client_left'),
      );
      expect(bench.emulator.log.entries().length).toBeGreaterThan(0);
    });

    const faults = [
      { fault: 'quota', retryable: true, reason: 'rate_limit' },
      { fault: 'refused_voice', retryable: false, reason: 'client_error' },
      { fault: 'refused_key', retryable: false, reason: 'refused_key' },
      { fault: 'server_error', retryable: true, reason: 'server_error' },
      { fault: 'no_audio', retryable: true, reason: 'unreadable' },
    ] as const;
    for (const { fault, retryable, reason } of faults) {
      test(`reports ${fault} as ${reason} after one attempt`, async () => {
        bench.emulator.log.clear();
        that({ fault });
        const reply = hearReply(tts, { voice }, ['Good morning. ']);
        const error = await reply.ended;
        expect(error).toBeInstanceOf(ProviderError);
        expect(error).toMatchObject({ provider: 'tts', retryable, reason });
        expect(String(error)).not.toContain('morning');
        expect(reply.pieces).toEqual([]);
        expect(bench.emulator.log.entries().length).toBe(1);
      });
    }

    test('throws after the sound so far for a loss in the middle, and does not close the clause', async () => {
      that({ fault: 'reset_middle', when: { textPattern: 'fine day' } });
      const reply = hearReply(tts, { voice }, clauses);
      expect(await reply.ended).toMatchObject({ provider: 'tts', retryable: true });
      expect(reply.text().startsWith(clauses[0] ?? 'none')).toBe(true);
      expect(reply.text()).not.toContain('well');
      expect(reply.pieces.filter(({ isLastOfClause }) => isLastOfClause).map(({ clause }) => clause)).toEqual(
        [0],
      );
    });

    test('times out on silence at the beginning and in the middle', async () => {
      that({ fault: 'stall_first' });
      const timer = createManualTimer();
      const timed = bench.tts(vendor, { timer });
      const first = hearReply(timed, { voice }, clauses);
      timer.advance(defaultTtsTimeouts.firstByteMs);
      expect(await first.ended).toMatchObject({ retryable: true, reason: 'timeout' });
      expect(first.pieces).toEqual([]);
      that({ fault: 'stall_middle' });
      const middle = hearReply(timed, { voice }, clauses);
      await until('the first sound', async () => middle.pieces.length > 0);
      timer.advance(defaultTtsTimeouts.stallMs);
      expect(await middle.ended).toMatchObject({ retryable: true, reason: 'timeout' });
      expect(middle.pieces.length).toBeGreaterThan(0);
    });

    test('reports an unreachable vendor, when speaking and when warming', async () => {
      const away = bench.tts(vendor, { url: 'http://127.0.0.1:9', timer: createManualTimer() });
      const reply = hearReply(away, { voice }, clauses);
      expect(await reply.ended).toMatchObject({ provider: 'tts', retryable: true, reason: 'unreachable' });
    });

    test('warms without a request, and names its provider', async () => {
      bench.emulator.log.clear();
      await tts.warm();
      expect(bench.emulator.log.entries()).toEqual([]);
      expect({ simulated: tts.simulated, provider: tts.provider }).toEqual({
        simulated: true,
        provider: 'simulated',
      });
    });

    test('ends open replies on close', async () => {
      that({ rate: 1 });
      const closing = bench.tts(vendor, { timer: createManualTimer() });
      const reply = hearReply(closing, { voice }, clauses);
      await until('the first sound', async () => reply.pieces.length > 0);
      await closing.close();
      expect(await reply.ended).toBeInstanceOf(ProviderError);
    });
  });
}

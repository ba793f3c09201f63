import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Fault } from '../../../emulators/stt/faults.ts';
import { reconnectingStt, type ReconnectingOptions } from '../../../src/providers/stt/reconnecting.ts';
import {
  openWatched,
  silence,
  spoken,
  startSttBench,
  type SttBench,
  type SttVendor,
} from '../../support/stt-emulator.ts';
import { until } from '../../support/until.ts';

const heartbeatMs = 100;
let bench: SttBench;
beforeAll(async () => {
  bench = await startSttBench();
});
afterAll(async () => await bench.close());

describe.each(['telnyx', 'openai'] satisfies SttVendor[])('a lasting session at %s', (vendor) => {
  /** Time moves with the audio that is played. */
  function lasting(
    faults: Fault[],
    { beatMs = heartbeatMs, ...options }: Partial<ReconnectingOptions> & { beatMs?: number } = {},
  ) {
    let playedMs = 0;
    const lost: string[] = [];
    const { stt, key } = bench.sttThat(vendor, faults, { timing: { closeMs: 200, heartbeatMs: beatMs } });
    const port = reconnectingStt(stt, {
      now: () => playedMs,
      random: () => 0,
      onLost: (why) => lost.push(why.message),
      ...options,
    });
    const heard = openWatched(port);
    const play = (...sounds: Int16Array[]) => {
      for (const sound of sounds) {
        for (let start = 0; start < sound.length; start += 160) {
          playedMs += 20;
          heard.play(sound.subarray(start, start + 160));
        }
      }
    };
    const connections = () => bench.emulator.log.entries(key);
    return {
      ...heard,
      play,
      lost,
      connections,
      /** Sound arrives once the client knows that the connection is open. */
      opened: async () => {
        play(silence(60));
        await until('sound at the first connection', async () => (connections()[0]?.audioMs ?? 0) > 0);
      },
      connected: async (count: number) =>
        await until(`connection ${count}`, async () => connections().length >= count),
    };
  }

  test('hears a sentence whole and once when the connection is lost in the middle', async () => {
    const call = lasting([{ nth: 1, kind: 'gone', afterAudioMs: 1_500 }]);
    call.play(spoken('first'), silence(500));
    await call.next('final');
    call.play(spoken('my name is John'));
    await call.connected(2);
    call.play(spoken(' Smith'), silence(600));
    await call.next('final', 2);
    expect(call.finals()).toEqual(['first', 'my name is John Smith']);
    expect(call.events.map(({ kind }) => kind)).toContain('reconnected');
    expect(call.lost).toHaveLength(1);
    await call.session.close();
  });

  test('does not repeat what was final before the loss', async () => {
    const call = lasting([{ nth: 1, kind: 'gone', afterAudioMs: 1_900 }]);
    call.play(spoken('yes please'), silence(500));
    await call.next('final');
    call.play(silence(1_000));
    await call.connected(2);
    call.play(spoken('and'), silence(500));
    await call.next('final', 2);
    expect(call.finals()).toEqual(['yes please', 'and']);
    // The audio was replayed: the second connection heard it.
    expect(call.connections()[1]?.finals).toEqual([expect.stringMatching(/please$/), 'and']);
    expect(
      new Set(call.events.flatMap((event) => (event.kind === 'final' ? [event.segmentId] : []))).size,
    ).toBe(2);
    await call.session.close();
  });

  test('replaces a server that reports nothing while someone speaks, and replays the speech from the start', async () => {
    const call = lasting([{ nth: 1, kind: 'silent' }]);
    await call.opened();
    call.play(spoken('is anybody there who can hear me at all please say so'));
    // A recognizer without interims gets more time.
    for (let seconds = 0; seconds < 15 && call.lost.length === 0; seconds += 1)
      call.play(spoken('hello hello hello '));
    expect(call.lost).toEqual(['The speech recognition reported nothing while someone spoke']);
    await call.connected(2);
    call.play(silence(600));
    expect((await call.next('final')).text).toMatch(/^is anybody there who can hear me at all please say so/);
    await call.session.close();
  });

  test('survives mere noise, and reconnects less and less often', async () => {
    const call = lasting([]);
    await call.opened();
    const noise = Int16Array.from({ length: 8000 }, (_, index) => (index % 2 === 0 ? 3_000 : -3_000));
    for (let second = 0; second < 60; second += 1) {
      const before = call.connections().length;
      const lostBefore = call.lost.length;
      call.play(noise);
      if (call.lost.length > lostBefore) await call.connected(before + 1);
      // The new connection must be open before time moves on.
      await until(
        'a connection that stands',
        async () => call.events.filter(({ kind }) => kind === 'reconnected').length === call.lost.length,
      );
    }
    expect(call.events.map(({ kind }) => kind)).not.toContain('closed');
    expect(call.lost.length).toBeGreaterThanOrEqual(1);
    expect(call.lost.length).toBeLessThanOrEqual(5);
    await call.session.close();
  });

  test('replaces a half-open socket by its heartbeat, even if no one speaks', async () => {
    // A busy machine needs more than a tenth of a second for an answer of the second connection.
    const call = lasting([{ nth: 1, kind: 'half_open', afterAudioMs: 100 }], { beatMs: 1000 });
    call.play(silence(400));
    await call.connected(2);
    call.play(spoken('back again'), silence(600));
    expect(await call.next('final')).toMatchObject({ text: 'back again' });
    expect(call.lost).toEqual(['The speech recognition stopped answering']);
    await call.session.close();
  });

  test('keeps a connection whose answers waited while this process had no processor time', async () => {
    const call = lasting([]);
    await call.opened();
    for (let pauses = 0; pauses < 10; pauses += 1) {
      const endMs = performance.now() + 2 * heartbeatMs;
      while (performance.now() < endMs);
      await new Promise((resolve) => setImmediate(resolve));
    }
    call.play(spoken('still there'), silence(600));
    expect(await call.next('final')).toMatchObject({ text: 'still there' });
    expect(call.lost).toEqual([]);
    await call.session.close();
  });

  test('ends with the fault after a maximum number of attempts', async () => {
    const call = lasting([{ kind: 'refused', status: 503 }], { random: () => 0 });
    await call.next('closed');
    expect(call.events).toEqual([
      {
        kind: 'fault',
        error: expect.objectContaining({
          retryable: true,
          reason: 'server_error',
          message: 'The speech recognition answered with HTTP 503',
        }),
      },
      { kind: 'closed' },
    ]);
    expect(call.lost).toHaveLength(6);
  });

  test('does not retry a fault that is not retryable', async () => {
    const call = lasting([{ kind: 'error', code: '40001' }]);
    await call.next('closed');
    expect(call.events.map(({ kind }) => kind)).toEqual(['fault', 'closed']);
    expect(call.lost).toEqual([]);
    expect(call.connections()).toHaveLength(1);
  });

  test('makes no further attempt when it is closed in between', async () => {
    const call = lasting([{ kind: 'refused', status: 503 }], { random: () => 1 });
    await until('a failed attempt', async () => call.lost.length >= 2);
    const attempts = call.lost.length;
    await call.session.close();
    expect(call.events.map(({ kind }) => kind)).toEqual(['closed']);
    await until('time for another attempt', async () => true);
    expect(call.lost).toHaveLength(attempts);
  });
});

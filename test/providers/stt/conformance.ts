import { describe, expect, test } from '@jest/globals';
import type { Fault } from '../../../emulators/stt/faults.ts';
import type { SttEvent, SttPort } from '../../../src/providers/stt/port.ts';
import { until } from '../../support/until.ts';
import { openWatched, silence, spoken } from '../../support/stt-emulator.ts';

export interface Conforming {
  stt: SttPort;
  /** Open sessions at the other end. */
  openConnections: () => number;
}

const kinds = (events: SttEvent[]): string[] => events.map(({ kind }) => kind);

/** The contract of every SttPort. `portThat` makes one whose connections fail in the given ways. */
export function describeConformance(
  name: string,
  portThat: (faults: Fault[], more?: { key?: string; url?: string }) => Conforming,
): void {
  describe(`the port of ${name}`, () => {
    test('sends words while they are spoken, and all of them once as a final', async () => {
      const { stt } = portThat([]);
      const heard = openWatched(stt);
      heard.play(silence(200), spoken('good morning my friend'), silence(600));
      expect(await heard.next('final')).toMatchObject({ text: 'good morning my friend', speechFinal: true });
      const interims = heard.events.flatMap((event) =>
        event.kind === 'interim' && event.text !== '' ? [event.text] : [],
      );
      expect(interims.slice(0, 3)).toEqual(['good', 'good morning', 'good morning my']);
      expect(kinds(heard.events).lastIndexOf('interim')).toBeLessThan(kinds(heard.events).indexOf('final'));
      await heard.session.close();
    });

    test('puts speech after a pause into another segment, and interims into the segment of their final', async () => {
      const { stt } = portThat([]);
      const heard = openWatched(stt);
      heard.play(spoken('one two'), silence(600), spoken('three four'), silence(600));
      await heard.next('final', 2);
      expect(heard.finals()).toEqual(['one two', 'three four']);
      const [first, second] = heard.events.flatMap((event) =>
        event.kind === 'final' ? [event.segmentId] : [],
      );
      expect(first).not.toBe(second);
      const ids = heard.events.flatMap((event) =>
        event.kind === 'interim' && event.text !== '' ? [event.segmentId] : [],
      );
      expect(new Set(ids)).toEqual(new Set([first, second]));
      await heard.session.close();
    });

    test("understands sound at a browser's rate", async () => {
      const { stt } = portThat([]);
      const heard = openWatched(stt, { sampleRate: 16000 });
      heard.play(spoken('from a browser', 16000), silence(600, 16000));
      expect(await heard.next('final')).toMatchObject({ text: 'from a browser' });
      await heard.session.close();
    });

    test('sends nothing for silence', async () => {
      const { stt } = portThat([]);
      const heard = openWatched(stt);
      heard.play(silence(3_000), spoken('then'), silence(600));
      await heard.next('final');
      expect(heard.finals()).toEqual(['then']);
      await heard.session.close();
    });

    test('sends a requested final without waiting for silence', async () => {
      const { stt } = portThat([]);
      const heard = openWatched(stt);
      heard.play(spoken('no pause here'), silence(100));
      heard.session.finalize();
      expect(await heard.next('final')).toMatchObject({ text: 'no pause here' });
      await heard.session.close();
    });

    test('reports a segment once even if the vendor sends it twice', async () => {
      const { stt } = portThat([{ kind: 'duplicate' }]);
      const heard = openWatched(stt);
      for (const [index, word] of ['yes', 'yes', 'end'].entries()) {
        heard.play(spoken(word), silence(600));
        await heard.next('final', index + 1);
      }
      expect(heard.finals()).toEqual(['yes', 'yes', 'end']);
      await heard.session.close();
    });

    test('is not affected by late or unreadable messages', async () => {
      for (const fault of [{ kind: 'delayed', delayMs: 150 }, { kind: 'unreadable' }] as const) {
        const { stt } = portThat([fault]);
        const heard = openWatched(stt);
        heard.play(spoken('late'), silence(600));
        expect(await heard.next('final')).toMatchObject({ text: 'late' });
        await heard.session.close();
      }
    });

    test('ends the session once with a fault that is not retryable for a refused key', async () => {
      const { stt } = portThat([], { key: 'not-a-good-key' });
      const heard = openWatched(stt);
      heard.play(spoken('hello'));
      await heard.next('closed');
      expect(heard.events).toEqual([
        {
          kind: 'fault',
          error: expect.objectContaining({
            code: 'provider',
            provider: 'stt',
            retryable: false,
            reason: 'refused_key',
          }),
        },
        { kind: 'closed' },
      ]);
      expect(JSON.stringify(heard.events)).not.toContain('not-a-good-key');
      await heard.session.close();
    });

    test('reports an invalid URL or key as a fault and throws nothing', async () => {
      for (const more of [{ url: 'no address' }, { key: 'simulated\nkey' }]) {
        const { stt } = portThat([], more);
        const heard = openWatched(stt);
        expect(heard.events).toEqual([]);
        await heard.next('closed');
        expect(heard.events).toEqual([
          { kind: 'fault', error: expect.objectContaining({ retryable: false }) },
          { kind: 'closed' },
        ]);
        await stt.warm();
      }
    });

    test('ends the session once on close, and disconnects', async () => {
      const { stt, openConnections } = portThat([]);
      const heard = openWatched(stt);
      heard.play(spoken('bye'), silence(600));
      await heard.next('final');
      await Promise.all([heard.session.close(), heard.session.close()]);
      heard.play(spoken('more'));
      heard.session.finalize();
      expect(kinds(heard.events).filter((kind) => kind === 'closed')).toHaveLength(1);
      expect(heard.events.at(-1)).toEqual({ kind: 'closed' });
      expect(kinds(heard.events)).not.toContain('fault');
      await until('the end of the connection', async () => openConnections() === 0);
    });

    test('does not wait on close for a server that does not answer', async () => {
      const { stt } = portThat([{ kind: 'half_open' }]);
      const heard = openWatched(stt);
      heard.play(spoken('anybody'));
      await heard.session.close();
      expect(heard.events.at(-1)).toEqual({ kind: 'closed' });
    });

    test('never fails to warm', async () => {
      await expect(portThat([], { url: 'ws://127.0.0.1:1' }).stt.warm()).resolves.toBeUndefined();
      await expect(portThat([]).stt.warm()).resolves.toBeUndefined();
    });
  });
}

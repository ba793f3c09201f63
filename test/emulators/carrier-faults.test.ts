import { afterEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { SettingsInput } from '../../emulators/carrier/settings.ts';
import type { CarrierError } from '../../src/domain/telephony/carrier-error.ts';
import { freshNumber, startCarrierBench, type CarrierBench } from '../support/carrier-bench.ts';
import { until } from '../support/until.ts';

let bench: CarrierBench | null = null;
afterEach(async () => {
  await bench?.close();
  bench = null;
});
async function benchWith(settings: SettingsInput): Promise<CarrierBench> {
  return (bench = await startCarrierBench({ settings }));
}

const log = (on: CarrierBench, legId: string, type: string) => on.emulator.log.entries({ legId, type });
const away = { name: 'away', steps: [{ do: 'no_answer' as const }] };
const hooksOf = (on: CarrierBench, legId: string, eventType: string) =>
  on.hooks.filter(({ message }) => message?.leg.legId === legId && message.eventType === eventType);

describe('a command id', () => {
  test('makes a repeated dial harmless as long as it is remembered; after that the person is rung a second time', async () => {
    const on = await benchWith({ commandMemoryMs: 2000 });
    const number = freshNumber();
    on.emulator.persona(number, away);
    const commandId = randomUUID();
    const first = await on.dial(number, { commandId });
    expect(await on.dial(number, { commandId })).toEqual(first);
    expect(on.emulator.rung()[number]).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 2050));
    expect(await on.dial(number, { commandId })).not.toEqual(first);
    expect(on.emulator.rung()[number]).toBe(2);
  });

  test.each([
    ['ignored', { outcome: 'unknown' }],
    ['refused', { outcome: 'refused' }],
    ['channel_limit', { outcome: 'capacity', carrierCode: '90043' }],
  ] as const)(
    'of a dial that is repeated may also be %s, without a second ring',
    async (repeatedDial, failure) => {
      const on = await benchWith({ assumptions: { repeatedDial } });
      const number = freshNumber();
      on.emulator.persona(number, away);
      const commandId = randomUUID();
      await on.dial(number, { commandId });
      await expect(on.dial(number, { commandId })).rejects.toMatchObject(failure);
      expect(on.emulator.rung()[number]).toBe(1);
    },
  );

  test('of several repeated dials is answered in each of the given ways, and never rings again', async () => {
    const on = await benchWith({ assumptions: { repeatedDial: ['same', 'ignored', 'refused'] } });
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const number = `+1202555${String(index).padStart(4, '0')}`;
        on.emulator.persona(number, away);
        const commandId = randomUUID();
        await on.dial(number, { commandId });
        const answer = await on.dial(number, { commandId }).then(
          () => 'same',
          ({ outcome }: CarrierError) => outcome,
        );
        expect(on.emulator.rung()[number]).toBe(1);
        return answer;
      }),
    );
    expect(new Set(answers)).toEqual(new Set(['same', 'unknown', 'refused']));
  });

  test('belongs to one leg: the same one for another leg is another command', async () => {
    const on = await benchWith({});
    const [one, other] = [await on.talkTo([]), await on.talkTo([])];
    for (const { leg } of [one, one, other])
      await on.carrier.sendDtmf({ callControlId: leg.callControlId, commandId: 'same', digits: '1' });
    expect([
      log(on, one.leg.legId, 'dtmf_heard').length,
      log(on, other.leg.legId, 'dtmf_heard').length,
    ]).toEqual([1, 1]);
  });
});

describe('when the media socket is lost', () => {
  const lose = async (on: CarrierBench) => {
    const talk = await on.talkTo([]);
    talk.socket.socket.terminate();
    await until('the loss', () =>
      Promise.resolve(log(on, talk.leg.legId, 'stream').some(({ what }) => what === 'lost')),
    );
    return talk.leg;
  };
  const attach = async (on: CarrierBench, callControlId: string, path: string) =>
    await on.carrier.startStreaming({
      callControlId,
      commandId: randomUUID(),
      clientState: 'again',
      stream: { url: on.streamUrl(path) },
    });

  test('the call continues, gets the event, and accepts a new stream at once', async () => {
    const on = await benchWith({});
    const leg = await lose(on);
    expect(await attach(on, leg.callControlId, 'again')).toBe('started');
    const socket = await on.socket('again');
    await until('start', () => Promise.resolve(socket.frames.some(({ event }) => event === 'start')));
    socket.say('I am back.');
    await until('the words', () => Promise.resolve(log(on, leg.legId, 'heard').length > 0));
    expect(log(on, leg.legId, 'heard')).toMatchObject([{ text: 'I am back.' }]);
    expect(hooksOf(on, leg.legId, 'streaming.stopped')).toHaveLength(1);
  });

  test('or refuses streams as busy for a while', async () => {
    const on = await benchWith({ assumptions: { busyForMs: 2000 } });
    const leg = await lose(on);
    expect(await attach(on, leg.callControlId, 'early')).toBe('busy');
    await until('a free stream', async () => (await attach(on, leg.callControlId, 'late')) === 'started');
  });

  test('or reports the loss late or never', async () => {
    const on = await benchWith({ assumptions: { stoppedAfterMs: 400 } });
    const lostAt = Date.now();
    const leg = await lose(on);
    await on.received('streaming.stopped', leg.legId);
    expect(Date.now() - lostAt).toBeGreaterThan(380);
    on.emulator.settings.assumptions.stoppedAfterMs = null;
    const quiet = await lose(on);
    await on.carrier.hangUp({ callControlId: quiet.callControlId, commandId: randomUUID() });
    await on.received('call.hangup', quiet.legId);
    expect(hooksOf(on, quiet.legId, 'streaming.stopped')).toEqual([]);
  });

  test('or ends', async () => {
    const on = await benchWith({ assumptions: { afterSocketLoss: 'drops' } });
    const leg = await lose(on);
    expect(await on.received('call.hangup', leg.legId)).toMatchObject({ what: { kind: 'hangup' } });
  });

  test('silently, the host sees a socket on which nothing arrives', async () => {
    const on = await benchWith({});
    const { leg, socket } = await on.talkTo([]);
    await fetch(new URL('/emulator/socket', on.emulator.url), {
      method: 'POST',
      body: JSON.stringify({ legId: leg.legId, how: 'freeze' }),
    });
    const pause = async () => await new Promise((resolve) => setTimeout(resolve, 200));
    await pause(); // audio in transit
    const { length } = socket.chunks;
    await pause();
    expect(socket.chunks).toHaveLength(length);
    expect(socket.closed).toBeNull();
    expect(await attach(on, leg.callControlId, 'second')).toBe('started');
  });
});

describe('faults by seed', () => {
  test('webhooks come twice, late, out of order, or without their first attempt; the same seed gives the same faults', async () => {
    const webhooks = { duplicate: 0.5, delay: 0.5, delayMs: 300, lostFirst: 0.3 };
    const timesOf = async () => {
      const on = await startCarrierBench({
        settings: { seed: 'seven', faults: { webhooks }, webhooks: { retryDelayMs: 50 } },
      });
      const counts: Record<string, number> = {};
      for (let call = 0; call < 12; call += 1) {
        const number = `+1555777${String(call).padStart(4, '1')}`;
        on.emulator.persona(number, { name: 'busy', steps: [{ do: 'busy' }] });
        const leg = await on.dial(number);
        await on.received('call.hangup', leg.legId);
        counts[number] = call;
      }
      await new Promise((resolve) => setTimeout(resolve, 600));
      const typesTo = (number: string) =>
        on.hooks.flatMap(({ message }) => (message?.to === number ? [message.eventType] : []));
      const seen = Object.keys(counts).map((number) =>
        typesTo(number)
          .toSorted((one, other) => one.localeCompare(other))
          .join(' '),
      );
      const lost = on.emulator.log
        .entries({ type: 'webhook' })
        .filter(({ outcome }) => outcome === 'lost by fault').length;
      await on.close();
      return { seen, lost };
    };
    const [first, second] = [await timesOf(), await timesOf()];
    expect(second).toEqual(first);
    expect(first.lost).toBeGreaterThan(0);
    expect(new Set(first.seen).size).toBeGreaterThan(1);
  });

  test('commands are done but answered with an error, and the leg still exists', async () => {
    const on = await benchWith({ faults: { rest: { errorAfterEffect: 1 } } });
    const number = freshNumber();
    on.emulator.persona(number, away);
    await expect(on.dial(number, { clientState: 'lost' })).rejects.toMatchObject({ outcome: 'unknown' });
    expect(await on.carrier.findLeg({ connectionId: on.connectionId, clientState: 'lost' })).not.toBeNull();
  });

  test('a ringing leg may be missing in the list of live calls, and is in it from its answer on', async () => {
    const on = await benchWith({ assumptions: { listsRinging: false } });
    const number = freshNumber();
    on.emulator.persona(number, { name: 'slow', steps: [{ do: 'ring', ms: 300 }, { do: 'answer' }] });
    const { legId } = await on.dial(number, { clientState: 'ringing' });
    const lookUp = () => on.carrier.findLeg({ connectionId: on.connectionId, clientState: 'ringing' });
    expect(await lookUp()).toBeNull();
    await on.received('call.answered', legId);
    expect(await lookUp()).toMatchObject({ legId });
  });

  test('an event is late by its type, so that the end of a call overtakes its answer', async () => {
    const on = await benchWith({ faults: { webhooks: { lateMs: { 'call.answered': 600 } } } });
    const number = freshNumber();
    on.emulator.persona(number, {
      name: 'brief',
      steps: [{ do: 'answer' }, { do: 'hangup', after: 0 }],
      detectedAs: null,
    });
    const { legId } = await on.dial(number);
    await on.received('call.answered', legId);
    expect(
      on.hooks.flatMap(({ message }) => (message?.leg.legId === legId ? [message.eventType] : [])).slice(-2),
    ).toEqual(['call.hangup', 'call.answered']);
    expect(await on.received('call.hangup', legId)).toMatchObject({ what: { wasAnswered: true } });
  });

  test('frames are lost, swapped and late, and their numbers show it', async () => {
    const on = await benchWith({ faults: { media: { drop: 0.1, swap: 0.1, late: 0.1, lateMs: 50 } } });
    const { socket } = await on.talkTo([]);
    await until('frames', () => Promise.resolve(socket.chunks.length > 60));
    const last = Math.max(...socket.chunks);
    expect(socket.chunks.length).toBeLessThan(last);
    expect(socket.chunks.some((chunk, index) => chunk < (socket.chunks[index - 1] ?? 0))).toBe(true);
  });

  test('the media socket is reset some time after start', async () => {
    const on = await benchWith({ faults: { media: { resetAfterMs: 150 } } });
    const { leg, socket } = await on.talkTo([]);
    await until('the reset', () => Promise.resolve(socket.closed === 1006));
    expect(await on.carrier.status(leg.callControlId)).toEqual({ isAlive: true });
  });

  test('a leg continues under another control id after the answer; leg and session id stay', async () => {
    const on = await benchWith({ faults: { changesControlId: true } });
    const { leg } = await on.talkTo([]);
    const answered = await on.received('call.answered', leg.legId);
    expect(answered.leg).toMatchObject({ legId: leg.legId, sessionId: leg.sessionId });
    expect(answered.leg.callControlId).not.toBe(leg.callControlId);
    await expect(
      on.carrier.hangUp({ callControlId: leg.callControlId, commandId: 'old' }),
    ).rejects.toMatchObject({ outcome: 'bad_leg' });
    expect(await on.carrier.hangUp({ callControlId: answered.leg.callControlId, commandId: 'new' })).toBe(
      'done',
    );
  });

  test('a webhook that its address never accepts goes to the failover of the application', async () => {
    const on = await benchWith({ webhooks: { attempts: 1, retryDelayMs: 10 } });
    on.answerHooks('down', 500, 500, 500, 500);
    await fetch(`${on.emulator.url}/call_control_applications/${on.connectionId}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${on.key}` },
      body: JSON.stringify({
        application_name: 'bench',
        webhook_event_url: on.hookUrl('inbound'),
        webhook_event_failover_url: on.hookUrl('failover'),
      }),
    });
    const number = freshNumber();
    on.emulator.persona(number, away);
    const leg = await on.dial(number, { webhookUrl: on.hookUrl('down') });
    await until('the failover', () =>
      Promise.resolve(hooksOf(on, leg.legId, 'call.initiated').some(({ path }) => path === '/failover')),
    );
    expect(hooksOf(on, leg.legId, 'call.initiated').map(({ path }) => path)).toEqual(['/down', '/failover']);
  });
});

test('commands can be delayed', async () => {
  const on = await benchWith({ answerAfterMs: 300 });
  const begun = performance.now();
  await on.dial(freshNumber(), { commandId: randomUUID() });
  expect(performance.now() - begun).toBeGreaterThanOrEqual(299);
});

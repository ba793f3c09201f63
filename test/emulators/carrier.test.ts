import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { verifyWebhook } from '../../src/providers/carrier/telnyx/verify-webhook.ts';
import { freshNumber, startCarrierBench, type CarrierBench } from '../support/carrier-bench.ts';
import type { HostSocket } from '../support/media-host.ts';
import { until } from '../support/until.ts';

let bench: CarrierBench;
beforeAll(async () => {
  bench = await startCarrierBench({
    settings: {
      limits: { dialsPer5s: 10_000 },
      webhooks: { retryDelayMs: 200, timeoutMs: 2000, attempts: 2 },
    },
  });
});
afterAll(() => bench.close());

const log = (legId: string, type: string) => bench.emulator.log.entries({ legId, type });
const heard = (legId: string) => log(legId, 'heard').map(({ text }) => text);
const hangUp = async (callControlId: string) =>
  await bench.carrier.hangUp({ callControlId, commandId: randomUUID() });
const frames = (socket: HostSocket, event: string) =>
  socket.frames.filter((frame) => frame['event'] === event);
const marks = (socket: HostSocket) =>
  frames(socket, 'mark').map(({ mark }) => z.object({ name: z.string() }).parse(mark).name);

async function post(path: string, body: unknown, key = bench.key) {
  const answer = await fetch(`${bench.emulator.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  });
  return {
    status: answer.status,
    code: z.object({ errors: z.array(z.object({ code: z.string() })) }).safeParse(await answer.json()).data
      ?.errors[0]?.code,
  };
}
const dialBody = (fields: Record<string, unknown> = {}) => ({
  connection_id: bench.connectionId,
  from: '+15550001111',
  to: freshNumber(),
  ...fields,
});

describe('the carrier refuses', () => {
  test.each([
    ['a field that it does not have', { colour: 'red' }, 422, '10015'],
    ['a field that is not simulated', { record: 'record-from-answer' }, 422, '10015'],
    ['a number without its plus', { to: '15551112222' }, 422, '10016'],
    ['a client state that is not base64', { client_state: 'call 7' }, 422, '90017'],
    ['a time limit below a minute', { time_limit_secs: 59 }, 422, '90029'],
    ['a ring time below 5 s', { timeout_secs: 4 }, 422, '10015'],
    [
      'webhook retry pauses of more than a minute together',
      { webhook_retries_policies: { 'call.hangup': { retries_ms: [30_000, 30_001] } } },
      422,
      '10015',
    ],
    [
      'more than five webhook retry pauses',
      { webhook_retries_policies: { 'call.hangup': { retries_ms: [1, 1, 1, 1, 1, 1] } } },
      422,
      '10015',
    ],
    ['an unknown application', { connection_id: '1' }, 422, '10015'],
    ['a missing number', { to: undefined }, 422, '10004'],
  ])('%s', async (_, fields, status, code) => {
    expect(await post('/calls', dialBody(fields))).toEqual({ status, code });
  });

  test('a request without a key, or with a real one', async () => {
    expect(await post('/calls', dialBody(), 'KEY017')).toEqual({ status: 401, code: '10009' });
  });

  test('commands to legs of another account', async () => {
    const leg = await bench.dial(freshNumber());
    expect(await post(`/calls/${leg.callControlId}/actions/hangup`, {}, 'simulated-other')).toEqual({
      status: 422,
      code: '90015',
    });
    await hangUp(leg.callControlId);
  });

  test('more dials in five seconds, and more live legs, than the account may have', async () => {
    const { limits } = bench.emulator.settings;
    const before = { ...limits };
    limits.dialsPer5s = 0;
    expect(await post('/calls', dialBody())).toEqual({ status: 429, code: '90103' });
    limits.dialsPer5s = 10_000;
    for (const [limit, code] of [
      ['account', '90041'],
      ['profile', '90042'],
      ['connection', '90043'],
    ] as const) {
      limits[limit] = 0;
      expect(await post('/calls', dialBody())).toEqual({ status: 403, code });
      limits[limit] = before[limit];
    }
  });
});

describe('on a leg', () => {
  test('audio is heard at the speed of speech, and a mark returns when all audio before it was heard', async () => {
    const { leg, socket } = await bench.talkTo([]);
    const text = 'Twenty characters ok';
    const began = Date.now();
    socket.say(text);
    await until('the mark', () => Promise.resolve(marks(socket).includes(text)));
    const took = Date.now() - began;
    expect(took).toBeGreaterThanOrEqual(text.length * 60 - 40);
    await until('the words', () => Promise.resolve(heard(leg.legId).length > 0));
    const [utterance] = log(leg.legId, 'heard');
    expect(utterance).toMatchObject({
      text,
      words: [{ text: 'Twenty' }, { text: 'characters' }, { text: 'ok' }],
    });
    expect(Number(utterance?.['endedAt']) - Number(utterance?.['beganAt'])).toBeGreaterThan(1_000);
    await hangUp(leg.callControlId);
  });

  test('a mark without audio before it returns at once; clear drops unheard audio and returns every mark', async () => {
    const { leg, socket } = await bench.talkTo([]);
    socket.send({ event: 'mark', mark: { name: 'nothing' } });
    await until('the mark', () => Promise.resolve(marks(socket).includes('nothing')));
    socket.say('First sentence.');
    socket.say('Second sentence, which is never heard.');
    await until('half of it', () =>
      Promise.resolve(
        bench.emulator
          .legs()
          .find(({ id }) => id === leg.legId)
          ?.listener.text.includes('First') ?? false,
      ),
    );
    socket.send({ event: 'clear' });
    await until('both marks', () => Promise.resolve(marks(socket).length === 3));
    await until('heard audio', () => Promise.resolve(heard(leg.legId).length > 0));
    expect(String(heard(leg.legId)[0])).toMatch(/^First/);
    expect(heard(leg.legId).join(' ')).not.toContain('Second');
    expect(log(leg.legId, 'stream').find(({ what }) => what === 'cleared')).toMatchObject({
      marks: ['First sentence.', 'Second sentence, which is never heard.'],
    });
    await hangUp(leg.callControlId);
  });

  test.each([
    ['a frame that is not JSON', 'hello', 100003],
    ['an unknown frame', JSON.stringify({ event: 'dance' }), 100003],
    ['audio that is not base64', JSON.stringify({ event: 'media', media: { payload: '***' } }), 100004],
    [
      'less than 20 ms of audio',
      JSON.stringify({ event: 'media', media: { payload: Buffer.alloc(159).toString('base64') } }),
      100004,
    ],
    [
      'more than 30 s of audio',
      JSON.stringify({ event: 'media', media: { payload: Buffer.alloc(240_001).toString('base64') } }),
      100004,
    ],
  ])('%s is answered with an error frame', async (_, frame, code) => {
    const { leg, socket } = await bench.talkTo([]);
    socket.send(frame);
    await until('the error', () => Promise.resolve(frames(socket, 'error').length > 0));
    expect(frames(socket, 'error')[0]).toMatchObject({ payload: { code } });
    await hangUp(leg.callControlId);
  });

  test('media frames arrive every 20 ms, numbered, also during silence; stop is the last frame', async () => {
    const { leg, socket } = await bench.talkTo([
      { do: 'silence', ms: 1_000 },
      { do: 'hangup', after: 0 },
    ]);
    await bench.received('call.hangup', leg.legId);
    await until('the close', () => Promise.resolve(socket.closed !== null));
    expect(socket.chunks.length).toBeGreaterThan(40);
    expect(socket.chunks).toEqual(socket.chunks.map((_, index) => index + 1));
    expect(socket.frames.at(-1)).toMatchObject({ event: 'stop' });
  });

  test('the socket opens while the phone rings and is closed without a message when no one answers', async () => {
    const number = freshNumber();
    const path = randomUUID();
    bench.emulator.persona(number, { name: 'declines', steps: [{ do: 'ring', ms: 3000 }, { do: 'reject' }] });
    const leg = await bench.dial(number, { stream: { url: bench.streamUrl(path) } });
    const socket = await bench.socket(path);
    await bench.received('call.hangup', leg.legId);
    await until('the close', () => Promise.resolve(socket.closed !== null));
    expect(socket.frames.map(({ event }) => event)).toEqual(['connected']);
    expect(socket.closed).toBe(1006);
    expect(
      bench.hooks.some(
        ({ message }) => message?.leg.legId === leg.legId && message.eventType.startsWith('streaming.'),
      ),
    ).toBe(false);
  });

  test('an unreachable media host fails the stream, not the call', async () => {
    const number = freshNumber();
    bench.emulator.persona(number, { name: 'answers', steps: [{ do: 'answer' }] });
    const leg = await bench.dial(number, { stream: { url: 'ws://127.0.0.1:9/nobody' } });
    expect(await bench.received('streaming.failed', leg.legId)).toMatchObject({
      streamUrl: 'ws://127.0.0.1:9/nobody',
      what: { kind: 'stream_failed', reason: 'connection_failed' },
    });
    expect(await bench.carrier.status(leg.callControlId)).toEqual({ isAlive: true });
    await hangUp(leg.callControlId);
  });

  test('an A-law leg announces its codec, and is understood', async () => {
    const { leg, socket } = await bench.talkTo([{ do: 'say', text: 'Bonjour', after: 0 }], {
      persona: { faults: { media: { codec: 'PCMA' } } },
    });
    expect(frames(socket, 'start')[0]).toMatchObject({
      start: { media_format: { encoding: 'PCMA', sample_rate: 8000 } },
    });
    await until('the words', () => Promise.resolve(socket.heard() === 'Bonjour'));
    await hangUp(leg.callControlId);
  });
});

describe('people', () => {
  test('say nothing before the media socket is open, so that no first word is cut off, however late it opens', async () => {
    const slow = await startCarrierBench({ acceptsAfterMs: 400 });
    try {
      const { leg, socket } = await slow.talkTo([{ do: 'say', text: 'Hello?', after: 0 }]);
      await until('the last sound', () => Promise.resolve(socket.heard().endsWith('?')));
      expect(socket.heard()).toBe('Hello?');
      await slow.carrier.hangUp({ callControlId: leg.callControlId, commandId: randomUUID() });
    } finally {
      await slow.close();
    }
  });

  test.each([
    ['busy', [{ do: 'busy' }], 'user_busy'],
    ['reject', [{ do: 'reject' }], 'call_rejected'],
    ['not_found', [{ do: 'not_found' }], 'not_found'],
    ['end', [{ do: 'end', cause: 'unspecified' }], 'unspecified'],
  ] as const)('end a leg with the cause of their step: %s', async (_, steps, cause) => {
    const number = freshNumber();
    bench.emulator.persona(number, { name: 'test', steps: [...steps] });
    const leg = await bench.dial(number);
    expect(await bench.received('call.hangup', leg.legId)).toMatchObject({ what: { kind: 'hangup', cause } });
    expect(
      bench.hooks.some(
        ({ message }) => message?.eventType === 'call.answered' && message.leg.legId === leg.legId,
      ),
    ).toBe(false);
  });

  test('a person who does not answer lets it ring until the time limit', async () => {
    const number = freshNumber();
    bench.emulator.persona(number, { name: 'away', steps: [{ do: 'no_answer' }] });
    const leg = await bench.dial(number, { ringTimeoutSeconds: 5 });
    expect(await bench.received('call.hangup', leg.legId)).toMatchObject({ what: { cause: 'timeout' } });
  });

  test('shipped personas are found by the last digits', async () => {
    const leg = await bench.dial('+15557770004');
    expect(await bench.received('call.hangup', leg.legId)).toMatchObject({ what: { cause: 'not_found' } });
  });

  test('several personas at one number take turns', async () => {
    const number = freshNumber();
    bench.emulator.persona(
      number,
      { name: 'first', steps: [{ do: 'busy' }] },
      { name: 'second', steps: [{ do: 'reject' }] },
    );
    const causes = [];
    for (let call = 0; call < 3; call += 1)
      causes.push((await bench.received('call.hangup', (await bench.dial(number)).legId)).what);
    expect(causes).toMatchObject([
      { cause: 'user_busy' },
      { cause: 'call_rejected' },
      { cause: 'call_rejected' },
    ]);
    expect(bench.emulator.rung()[number]).toBe(3);
  });

  test('a person answers when the agent has finished, interrupts at a word, presses keys, and reports whether the right thing was heard', async () => {
    const { leg, socket } = await bench.talkTo([
      { do: 'say', text: 'Yes, this is Maria.', pauseMs: 300 },
      { do: 'interrupt', text: 'No, on Tuesday!', atAgentWord: 'Monday' },
      { do: 'dtmf', digits: '7', after: 0 },
      { do: 'expectHeard', pattern: 'tuesday it is', withinMs: 5_000 },
      { do: 'expectHeard', pattern: 'something else', withinMs: 100 },
      { do: 'hangup', after: 0 },
    ]);
    socket.say('Is this Maria?');
    await until('the answer', () => Promise.resolve(socket.heard() === 'Yes, this is Maria.'));
    // On a busy machine, the interruption may be noticed seconds later; the last word is later still.
    socket.say(
      'Shall we say on Monday at nine o clock, or would you rather come by on Thursday in the late afternoon?',
    );
    await until('the interruption', () => Promise.resolve(socket.heard().length > 22));
    expect(heard(leg.legId)).toEqual(['Is this Maria?']);
    socket.send({ event: 'clear' });
    await until('the key', () => Promise.resolve(frames(socket, 'dtmf').length > 0));
    expect(await bench.received('call.dtmf.received', leg.legId)).toMatchObject({
      what: { kind: 'dtmf', digit: '7' },
    });
    socket.say('Tuesday it is.');
    expect(await bench.received('call.hangup', leg.legId)).toMatchObject({
      what: { cause: 'normal_clearing', source: 'callee' },
    });
    expect(log(leg.legId, 'expectation').map(({ isMet }) => isMet)).toEqual([true, false]);
    expect(String(heard(leg.legId)[1])).toMatch(/^Shall we say on Monday/);
    expect(String(heard(leg.legId)[1])).not.toContain('afternoon');
  });

  test('a conversation by rules continues turn by turn until a rule ends it', async () => {
    const { leg, socket } = await bench.talkTo([
      {
        do: 'converse',
        pauseMs: 300,
        otherwise: 'Pardon?',
        rules: [
          { heard: 'how many', say: 'Four.', times: 1 },
          { heard: 'bye', say: 'Bye.', hangsUp: true },
        ],
      },
    ]);
    const ask = async (words: string, answer: string) => {
      const before = socket.heard().length;
      socket.say(words);
      await until(answer, () => Promise.resolve(socket.heard().slice(before).trim() === answer));
    };
    await ask('How many?', 'Four.');
    await ask('How many, again?', 'Pardon?');
    await ask('Good bye then.', 'Bye.');
    expect(await bench.received('call.hangup', leg.legId)).toMatchObject({ what: { source: 'callee' } });
  });

  test('a person who does not answer half a sentence waits for the rest, and repeats what was not understood', async () => {
    const { leg, socket } = await bench.talkTo([
      {
        do: 'converse',
        pauseMs: 300,
        otherwise: null,
        rules: [
          { heard: 'how many\\?$', say: 'Four.' },
          { heard: 'pardon', again: true },
        ],
      },
    ]);
    socket.say('How ma');
    await until('half the question', () => Promise.resolve(heard(leg.legId).length === 1));
    expect(log(leg.legId, 'said')).toEqual([]);
    socket.say('How many?');
    await until('the answer', () => Promise.resolve(socket.heard() === 'Four.'));
    socket.say('Pardon?');
    await until('the answer again', () => Promise.resolve(socket.heard() === 'Four. Four.'));
  });

  test('a machine is detected, plays its greeting, beeps, and is silent; a cough has no words', async () => {
    const number = freshNumber();
    const path = randomUUID();
    bench.emulator.persona(number, {
      name: 'machine',
      steps: [
        { do: 'machine', greeting: 'Leave it.', detectedAfterMs: 100 },
        { do: 'cough', afterMs: 0 },
      ],
    });
    const leg = await bench.dial(number, {
      stream: { url: bench.streamUrl(path) },
      answeringMachineDetection: 'premium',
    });
    expect(await bench.received('call.machine.premium.detection.ended', leg.legId)).toMatchObject({
      what: { kind: 'detection', result: 'machine' },
    });
    expect(await bench.received('call.machine.premium.greeting.ended', leg.legId)).toMatchObject({
      what: { kind: 'machine_greeting_ended', result: 'beep_detected' },
    });
    const socket = await bench.socket(path);
    socket.say('Please call us.');
    await until('the cough', () =>
      Promise.resolve(log(leg.legId, 'said').some((entry) => entry['cough'] === true)),
    );
    await hangUp(leg.callControlId);
    expect(socket.heard()).toBe('Leave it.');
  });

  test('a machine may be reported by its beep alone', async () => {
    const number = freshNumber();
    bench.emulator.persona(number, { name: 'machine', steps: [{ do: 'machine', detectedAfterMs: null }] });
    const leg = await bench.dial(number, { answeringMachineDetection: 'premium' });
    await bench.received('call.machine.premium.greeting.ended', leg.legId);
    await hangUp(leg.callControlId);
    await bench.received('call.hangup', leg.legId);
    expect(
      bench.hooks.filter(
        ({ message }) => message?.leg.legId === leg.legId && message.what?.kind === 'detection',
      ),
    ).toEqual([]);
  });

  test('a person who puts the agent on hold hears and says nothing', async () => {
    const { leg, socket } = await bench.talkTo([
      { do: 'hold', ms: 900 },
      { do: 'silence', ms: 60_000 },
    ]);
    socket.say('Anybody?');
    await bench.received('call.unhold', leg.legId);
    socket.say('There you are.');
    await until('the words', () => Promise.resolve(heard(leg.legId).length > 0));
    expect(heard(leg.legId)).toEqual(['There you are.']);
    await hangUp(leg.callControlId);
  });

  test('an agent that never hangs up is cut off by the time limit', async () => {
    const call = bench.emulator.callIn({
      connectionId: bench.connectionId,
      from: freshNumber(),
      to: '+15550001111',
      persona: { name: 'caller', steps: [] },
      patienceMs: 300,
    });
    expect(await bench.received('call.hangup', call.id)).toMatchObject({
      what: { cause: 'originator_cancel', source: 'caller' },
    });
  });
});

describe('webhooks', () => {
  test('are signed, anew at each attempt, and retried until they are accepted', async () => {
    const webhookUrl = bench.hookUrl('flaky');
    bench.answerHooks('flaky', 500, 'silence');
    const number = freshNumber();
    bench.emulator.persona(number, { name: 'away', steps: [{ do: 'no_answer' }] });
    const leg = await bench.dial(number, { webhookUrl });
    await until('three attempts', () =>
      Promise.resolve(log(leg.legId, 'webhook_given_up').length > 0 || log(leg.legId, 'webhook').length >= 2),
    );
    const attempts = bench.hooks.filter(({ message }) => message?.leg.legId === leg.legId);
    expect(new Set(attempts.map(({ message }) => message?.eventId)).size).toBe(1);
    for (const { raw, headers } of attempts)
      expect(
        verifyWebhook({ raw, headers, publicKey: bench.emulator.publicKey, now: new Date() }),
      ).toBeNull();
    expect(log(leg.legId, 'webhook').map(({ outcome }) => outcome)).toEqual([500, 'timeout']);
    await hangUp(leg.callControlId);
  });

  test('a 4xx is final', async () => {
    const webhookUrl = bench.hookUrl('gone');
    bench.answerHooks('gone', 404);
    const number = freshNumber();
    bench.emulator.persona(number, { name: 'away', steps: [{ do: 'no_answer' }] });
    const leg = await bench.dial(number, { webhookUrl });
    await until('the attempt', () => Promise.resolve(log(leg.legId, 'webhook').length > 0));
    await hangUp(leg.callControlId);
    await bench.received('call.hangup', leg.legId);
    const [first] = log(leg.legId, 'webhook');
    const attempts = log(leg.legId, 'webhook').filter(({ eventId }) => eventId === first?.['eventId']);
    expect(attempts.map(({ outcome }) => outcome)).toEqual([404]);
  });
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ArrangementInput } from '../../../emulators/carrier/arranged.ts';
import { encodeSpeech } from '../../../emulators/modem/encode-speech.ts';
import { wavFile } from '../../../src/domain/audio/wav.ts';
import { CarrierError, type CarrierOutcome } from '../../../src/domain/telephony/carrier-error.ts';
import { createTelnyxAccounts } from '../../../src/providers/carrier/telnyx/calls.ts';
import { freshNumber, startCarrierBench, type CarrierBench } from '../../support/carrier-bench.ts';
import { until } from '../../support/until.ts';

let bench: CarrierBench;
beforeAll(async () => {
  bench = await startCarrierBench({ settings: { limits: { dialsPer5s: 10_000 } } });
});
afterAll(() => bench.close());

const command = (callControlId: string) => ({ callControlId, commandId: randomUUID() });
const noSuchLeg = 'v3:no-such-leg';

async function failureOf(act: Promise<unknown>): Promise<CarrierError> {
  const error: unknown = await act.then(
    () => new Error('it did not fail'),
    (failure: unknown) => failure,
  );
  if (!(error instanceof CarrierError)) throw new Error(`not a CarrierError: ${String(error)}`);
  return error;
}

/** A leg in each of the states in which a command may find it. */
async function aRingingLeg() {
  const number = freshNumber();
  bench.emulator.persona(number, { name: 'never answers', steps: [{ do: 'no_answer' }] });
  return await bench.dial(number);
}
async function anAnsweredLeg() {
  const { leg } = await bench.talkTo([]);
  return leg;
}
async function anEndedLeg() {
  const leg = await anAnsweredLeg();
  await bench.carrier.hangUp(command(leg.callControlId));
  return leg;
}

const heardBy = (legId: string) =>
  bench.emulator.log.entries({ legId, type: 'heard' }).map(({ text }) => String(text));

describe('commands behave as the port documents', () => {
  test('a dial rings the number, puts our reference into every event, and opens the stream at our URL', async () => {
    const { leg, socket, number } = await bench.talkTo([{ do: 'say', text: 'Hello?', after: 0 }], {
      clientState: 'call 7 · première',
    });
    expect(await bench.received('call.answered', leg.legId)).toMatchObject({
      leg: { ...leg },
      clientState: 'call 7 · première',
      from: '+15550001111',
      to: number,
      direction: null,
      what: { kind: 'answered' },
    });
    expect(socket.frames.map(({ event }) => event).slice(0, 2)).toEqual(['connected', 'start']);
    await until('the greeting', () => Promise.resolve(socket.heard() === 'Hello?'));
    expect(bench.emulator.rung()[number]).toBe(1);
    await bench.carrier.hangUp(command(leg.callControlId));
  });

  test('a leg without a stream is dialed without one', async () => {
    const number = freshNumber();
    const leg = await bench.dial(number);
    await bench.received('call.initiated', leg.legId);
    expect(bench.emulator.log.entries({ legId: leg.legId, type: 'command' })[0]?.['body']).not.toHaveProperty(
      'stream_url',
    );
    await bench.carrier.hangUp(command(leg.callControlId));
  });

  test('a hang-up cancels a ringing leg, ends an answered one, and answers `over` for an ended one', async () => {
    const ringing = await aRingingLeg();
    expect(await bench.carrier.hangUp(command(ringing.callControlId))).toBe('done');
    expect(await bench.received('call.hangup', ringing.legId)).toMatchObject({
      what: { kind: 'hangup', cause: 'originator_cancel', source: 'caller' },
    });
    const answered = await anAnsweredLeg();
    expect(await bench.carrier.hangUp(command(answered.callControlId))).toBe('done');
    expect(await bench.received('call.hangup', answered.legId)).toMatchObject({
      what: { kind: 'hangup', cause: 'normal_clearing', source: 'caller' },
    });
    expect(await bench.carrier.hangUp(command(answered.callControlId))).toBe('over');
  });

  test('an incoming call is answered with a stream, and sends its events to the given URL from then on', async () => {
    const path = randomUUID();
    const call = bench.emulator.callIn({
      connectionId: bench.connectionId,
      from: freshNumber(),
      to: '+15550001111',
      persona: { name: 'caller', steps: [{ do: 'answer' }, { do: 'say', text: 'Is that you?', after: 0 }] },
    });
    const offered = await bench.received('call.initiated', call.id);
    expect(offered).toMatchObject({
      direction: 'inbound',
      connectionId: bench.connectionId,
      to: '+15550001111',
      clientState: null,
    });
    const answer = {
      ...command(offered.leg.callControlId),
      clientState: 'inbound 1',
      stream: { url: bench.streamUrl(path) },
      webhookUrl: bench.hookUrl('of-this-call'),
      sendSilenceWhenIdle: true,
    };
    expect(await bench.carrier.answer(answer)).toBe('done');
    const socket = await bench.socket(path);
    await until('the caller', () => Promise.resolve(socket.heard() === 'Is that you?'));
    expect(await bench.received('call.answered', call.id)).toMatchObject({ clientState: 'inbound 1' });
    expect(
      bench.hooks.find(
        ({ message }) => message?.eventType === 'call.answered' && message.leg.legId === call.id,
      )?.path,
    ).toBe('/of-this-call');
    call.hungUp();
    expect(await bench.carrier.answer({ ...answer, commandId: randomUUID() })).toBe('over');
  });

  test.each([
    { cause: 'busy', reported: 'user_busy' },
    { cause: 'rejected', reported: 'call_rejected' },
  ] as const)('an incoming call is rejected as $cause', async ({ cause, reported }) => {
    const call = bench.emulator.callIn({
      connectionId: bench.connectionId,
      from: freshNumber(),
      to: '+15550001111',
      persona: { name: 'caller', steps: [] },
    });
    expect(await bench.carrier.reject({ ...command(call.controlId), cause })).toBe('done');
    expect(await bench.received('call.hangup', call.id)).toMatchObject({
      what: { kind: 'hangup', cause: reported },
    });
    expect(await bench.carrier.reject({ ...command(call.controlId), cause })).toBe('over');
  });

  test('attaching a stream answers `busy` while there is one, `started` after a stop, `over` after the end', async () => {
    const { leg, socket } = await bench.talkTo([]);
    const attach = async (path: string) =>
      await bench.carrier.startStreaming({
        ...command(leg.callControlId),
        clientState: 'generation 2',
        stream: { url: bench.streamUrl(path) },
      });
    expect(await attach('second')).toBe('busy');
    expect(await bench.carrier.stopStreaming(command(leg.callControlId))).toBe('done');
    await until('stop', () => Promise.resolve(socket.frames.some(({ event }) => event === 'stop')));
    expect(await attach('third')).toBe('started');
    const next = await bench.socket('third');
    await until('start', () => Promise.resolve(next.frames.some(({ event }) => event === 'start')));
    expect(next.frames.find(({ event }) => event === 'start')).toMatchObject({
      start: { client_state: Buffer.from('generation 2').toString('base64') },
    });
    expect(await bench.received('streaming.stopped', leg.legId)).toMatchObject({
      streamUrl: bench.streamUrl(socket.path.slice(1)),
    });
    await bench.carrier.hangUp(command(leg.callControlId));
    expect(await attach('fourth')).toBe('over');
  });

  test('stopping an absent stream answers `done`', async () => {
    const { leg } = await bench.talkTo([]);
    await bench.carrier.stopStreaming(command(leg.callControlId));
    expect(await bench.carrier.stopStreaming(command(leg.callControlId))).toBe('done');
    await bench.carrier.hangUp(command(leg.callControlId));
  });

  test('the carrier speaks and plays without our stream until it is stopped', async () => {
    const { leg } = await bench.talkTo([]);
    await bench.carrier.stopStreaming(command(leg.callControlId));
    expect(await bench.carrier.speak({ ...command(leg.callControlId), text: 'One moment, please.' })).toBe(
      'done',
    );
    await bench.received('call.speak.ended', leg.legId);
    const music = Buffer.from(wavFile(16_000, [encodeSpeech('la la ', 16_000)])).toString('base64');
    expect(
      await bench.carrier.startPlayback({
        ...command(leg.callControlId),
        audio: { kind: 'content', base64: music, type: 'wav' },
        isEndless: true,
      }),
    ).toBe('done');
    await until('two rounds', () =>
      Promise.resolve(
        (bench.emulator
          .legs()
          .find(({ id }) => id === leg.legId)
          ?.listener.text.match(/la la/g)?.length ?? 0) >= 2,
      ),
    );
    expect(await bench.carrier.stopPlayback(command(leg.callControlId))).toBe('done');
    expect(await bench.received('call.playback.ended', leg.legId)).toMatchObject({
      what: { kind: 'playback_ended' },
    });
    await bench.carrier.hangUp(command(leg.callControlId));
    expect(heardBy(leg.legId).join(' ')).toMatch(/^One moment, please\. la la/);
    expect(await bench.carrier.speak({ ...command(leg.callControlId), text: 'Late' })).toBe('over');
    expect(
      await bench.carrier.startPlayback({
        ...command(leg.callControlId),
        audio: { kind: 'url', url: bench.hookUrl('music.wav') },
        isEndless: false,
      }),
    ).toBe('over');
    expect(await bench.carrier.stopPlayback(command(leg.callControlId))).toBe('over');
  });

  test('keys are sent to an answered leg', async () => {
    const leg = await anAnsweredLeg();
    expect(await bench.carrier.sendDtmf({ ...command(leg.callControlId), digits: '12#' })).toBe('done');
    expect(bench.emulator.log.entries({ legId: leg.legId, type: 'dtmf_heard' })).toMatchObject([
      { digits: '12#' },
    ]);
    await bench.carrier.hangUp(command(leg.callControlId));
    expect(await bench.carrier.sendDtmf({ ...command(leg.callControlId), digits: '1' })).toBe('over');
  });

  test('two legs in a conference hear each other; the leg that ends it hangs the other up', async () => {
    const caller = await bench.talkTo([
      { do: 'silence', ms: 1_000 },
      { do: 'say', text: 'Good day', after: 'agentDone' },
    ]);
    const expert = await bench.talkTo([
      { do: 'silence', ms: 1_200 },
      { do: 'say', text: 'Expert speaking', after: 0 },
    ]);
    const { conferenceId } = await bench.carrier.createConference({
      ...command(expert.leg.callControlId),
      name: `transfer ${randomUUID()}`,
    });
    const join = async () =>
      await bench.carrier.joinConference({
        ...command(caller.leg.callControlId),
        conferenceId,
        endsConference: true,
      });
    expect(await join()).toBe('done');
    await until('the answer', () => Promise.resolve(heardBy(expert.leg.legId).includes('Good day')));
    expect(heardBy(caller.leg.legId)).toContain('Expert speaking');
    await bench.carrier.hangUp(command(caller.leg.callControlId));
    expect(await bench.received('call.hangup', expert.leg.legId)).toMatchObject({
      what: { cause: 'normal_clearing' },
    });
  });

  test('a ringing or ended leg cannot start a conference', async () => {
    const ringing = await aRingingLeg();
    const create = async (callControlId: string) =>
      await bench.carrier.createConference({ ...command(callControlId), name: randomUUID() });
    expect((await failureOf(create(ringing.callControlId))).outcome).toBe('not_answered');
    await bench.carrier.hangUp(command(ringing.callControlId));
    expect((await failureOf(create(ringing.callControlId))).outcome).toBe('ended');
  });
});

describe('while the API is down', () => {
  /** The carrier's clock is a hundred times faster: its own pause of 2 s is 20 ms. */
  const timesFaster = 100;
  let hasty: CarrierBench;
  beforeAll(async () => {
    hasty = await startCarrierBench({
      settings: { webhooks: { attempts: 4, retryDelayMs: 2_000 / timesFaster } },
    });
  });
  afterAll(() => hasty.close());
  const attemptsAt = (legId: string, eventType: string) =>
    hasty.emulator.log.entries({ legId, type: 'webhook' }).filter((each) => each['eventType'] === eventType);
  /**
   * How often the carrier sent the event until it gave up, and for how long, in the carrier's time.
   */
  async function triedFor(legId: string, eventType: string) {
    await until(`${eventType} to be given up`, () =>
      Promise.resolve(
        hasty.emulator.log
          .entries({ legId, type: 'webhook_given_up' })
          .find((each) => each['eventType'] === eventType),
      ),
    );
    const times = attemptsAt(legId, eventType).map(({ at }) => at);
    return { attempts: times.length, tookMs: ((times.at(-1) ?? 0) - (times[0] ?? 0)) * timesFaster };
  }
  const never = Array.from({ length: 40 }, () => 500);

  // guarantee: answer-and-hangup-retried-50-s
  test('the carrier retries answers and hang-ups for 50 s, for incoming and outgoing calls, and other events by its default', async () => {
    const number = freshNumber();
    hasty.emulator.persona(number, { name: 'busy', steps: [{ do: 'busy' }] });
    hasty.answerHooks('away', ...never);
    const { legId } = await hasty.dial(number, { webhookUrl: hasty.hookUrl('away') });
    const ended = await triedFor(legId, 'call.hangup');
    expect(ended.attempts).toBe(6);
    expect(ended.tookMs).toBeGreaterThanOrEqual(49_000);
    expect((await triedFor(legId, 'call.initiated')).attempts).toBe(4);

    const caller = hasty.emulator.callIn({
      connectionId: hasty.connectionId,
      from: freshNumber(),
      to: '+15550001111',
      persona: { name: 'caller', steps: [] },
    });
    const { leg } = await hasty.received('call.initiated', caller.id);
    await hasty.carrier.answer({
      ...command(leg.callControlId),
      clientState: 'call 8',
      stream: { url: hasty.streamUrl('inbound') },
      webhookUrl: hasty.hookUrl('away'),
      sendSilenceWhenIdle: true,
    });
    expect((await triedFor(caller.id, 'call.answered')).attempts).toBe(6);
  });
});

describe('looking up a leg', () => {
  test('finds it live until it ends, and answers null for an unknown one', async () => {
    const leg = await aRingingLeg();
    expect(await bench.carrier.status(leg.callControlId)).toEqual({ isAlive: true });
    await bench.carrier.hangUp(command(leg.callControlId));
    expect(await bench.carrier.status(leg.callControlId)).toEqual({
      isAlive: false,
      endedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(await bench.carrier.status(noSuchLeg)).toBeNull();
  });

  test('finds a live leg by our own reference, even beyond the first page of 250', async () => {
    const others = [];
    for (let batch = 0; batch < 17; batch += 1)
      others.push(...(await Promise.all(Array.from({ length: 15 }, () => aRingingLeg()))));
    const number = freshNumber();
    bench.emulator.persona(number, { name: 'never answers', steps: [{ do: 'no_answer' }] });
    const wanted = await bench.dial(number, { clientState: 'the one' });
    expect(await bench.carrier.findLeg({ connectionId: bench.connectionId, clientState: 'the one' })).toEqual(
      wanted,
    );
    expect(
      await bench.carrier.findLeg({ connectionId: bench.connectionId, clientState: 'the on' }),
    ).toBeNull();
    for (const leg of bench.emulator.legs()) leg.hangUp();
    expect(others).toHaveLength(255);
    expect(
      await bench.carrier.findLeg({ connectionId: bench.connectionId, clientState: 'the one' }),
    ).toBeNull();
  });
});

describe('the outcome of a failed command', () => {
  const rows: {
    code: string;
    accountCode?: string;
    outcome: CarrierOutcome;
    waits?: number;
    retryable: boolean;
  }[] = [
    { code: '10009', outcome: 'setup', retryable: false },
    { code: '10010', outcome: 'setup', retryable: false },
    { code: '10010', accountCode: 'D38', outcome: 'setup', retryable: false },
    { code: '10010', accountCode: 'D1', outcome: 'setup', retryable: false },
    { code: '10011', outcome: 'capacity', waits: 1_000, retryable: true },
    { code: '10015', outcome: 'refused', retryable: false },
    { code: '10016', outcome: 'bad_number', retryable: false },
    { code: '90015', outcome: 'bad_leg', retryable: false },
    { code: '90017', outcome: 'refused', retryable: false },
    { code: '90018', outcome: 'ended', retryable: false },
    { code: '90029', outcome: 'refused', retryable: false },
    { code: '90034', outcome: 'not_answered', retryable: true },
    { code: '90041', outcome: 'capacity', waits: 5_000, retryable: true },
    { code: '90042', outcome: 'capacity', waits: 5_000, retryable: true },
    { code: '90043', outcome: 'capacity', waits: 5_000, retryable: true },
    { code: '90045', outcome: 'stream_busy', retryable: true },
    { code: '90046', outcome: 'refused', retryable: false },
    { code: '90048', outcome: 'not_streaming', retryable: false },
    { code: '90103', outcome: 'capacity', waits: 1_000, retryable: true },
    { code: '10007', outcome: 'unknown', retryable: true },
  ];
  test.each(rows.map((row) => ({ ...row, name: row.accountCode ?? row.code })))(
    'with code $name is $outcome',
    async ({ code, accountCode, outcome, waits = null, retryable }) => {
      bench.emulator.arrange({
        command: 'dial',
        how: { kind: 'problem', code, ...(accountCode === undefined ? {} : { accountCode }) },
      });
      const number = freshNumber();
      const failure = await failureOf(bench.dial(number));
      expect(failure).toMatchObject({
        outcome,
        retryable,
        retryAfterMs: waits,
        carrierCode: accountCode ?? code,
        provider: 'carrier',
      });
      expect(failure.message).toBe(
        `The carrier answered with HTTP ${failure.httpStatus} (${accountCode ?? code})`,
      );
      expect(failure.carrierMessage).not.toBe(null);
      expect(bench.emulator.rung()).not.toHaveProperty([number]);
    },
  );

  test('is not a bad number of the contact if the carrier names the number of the account', async () => {
    const failure = await failureOf(bench.dial(freshNumber(), { from: 'not a number' }));
    expect(failure).toMatchObject({ carrierCode: '10016', outcome: 'setup' });
  });

  test.each<{ status: number; outcome: CarrierOutcome }>([
    { status: 400, outcome: 'refused' },
    { status: 401, outcome: 'setup' },
    { status: 403, outcome: 'setup' },
    { status: 404, outcome: 'refused' },
    { status: 408, outcome: 'unknown' },
    { status: 409, outcome: 'refused' },
    { status: 422, outcome: 'refused' },
    { status: 429, outcome: 'capacity' },
    { status: 500, outcome: 'unknown' },
    { status: 502, outcome: 'unknown' },
    { status: 503, outcome: 'unknown' },
  ])('with HTTP $status and no code is $outcome, after one attempt', async ({ status, outcome }) => {
    const before = bench.emulator.log.entries({ type: 'command' }).length;
    bench.emulator.arrange({ command: 'dial', how: { kind: 'status', status, body: '<html>sorry</html>' } });
    expect(await failureOf(bench.dial(freshNumber()))).toMatchObject({ outcome, carrierCode: null });
    expect(bench.emulator.log.entries({ type: 'command' })).toHaveLength(before + 1);
  });

  test('is a bad leg if the carrier does not know the path of the leg', async () => {
    bench.emulator.arrange({ command: 'hangup', how: { kind: 'status', status: 404 } });
    expect((await failureOf(bench.carrier.hangUp(command(noSuchLeg)))).outcome).toBe('bad_leg');
    expect((await failureOf(bench.carrier.hangUp(command(noSuchLeg)))).outcome).toBe('bad_leg');
  });

  test("has the carrier's wait", async () => {
    bench.emulator.arrange({
      command: 'dial',
      how: { kind: 'problem', code: '90103', retryAfterSeconds: 7 },
    });
    expect((await failureOf(bench.dial(freshNumber()))).retryAfterMs).toBe(7_000);
  });

  test('names the missing outbound profile of an application that cannot dial', async () => {
    const bare = await fetch(`${bench.emulator.url}/call_control_applications`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bench.key}` },
      body: JSON.stringify({ application_name: 'bare', webhook_event_url: bench.hookUrl('bare') }),
    });
    const { data } = z.object({ data: z.object({ id: z.string() }) }).parse(await bare.json());
    const failure = await failureOf(bench.dial(freshNumber(), { connectionId: data.id }));
    expect(failure).toMatchObject({ outcome: 'setup', carrierCode: 'D38', httpStatus: 403 });
    expect(failure.carrierMessage).toContain('Outbound Profile');
    expect(await bench.carrier.findApplication(data.id)).toMatchObject({
      name: 'bare',
      hasOutboundProfile: false,
    });
  });

  test('is the listed error of an answer with a success status', async () => {
    const body = JSON.stringify({
      data: { call_control_id: 'v3:x', call_leg_id: 'l', call_session_id: 's' },
      errors: [{ code: '10010', detail: 'Connection has no Outbound Profile assigned D38.' }],
    });
    bench.emulator.arrange({ command: 'dial', how: { kind: 'status', status: 200, body } });
    expect(await failureOf(bench.dial(freshNumber()))).toMatchObject({
      outcome: 'setup',
      carrierCode: 'D38',
    });
  });

  test("separates the carrier's words from the message, which contains no phone number", async () => {
    bench.emulator.arrange({
      command: 'dial',
      how: { kind: 'problem', code: '10016', detail: 'The number +15559998888 is not valid' },
    });
    const failure = await failureOf(bench.dial(freshNumber()));
    expect(failure.carrierMessage).toBe(
      'Phone number must be in +E.164 format: The number +15559998888 is not valid',
    );
    expect(`${failure.message}${String(failure.cause)}`).not.toContain('5559998888');
  });

  test('comes from the carrier if the state of the leg does not allow the command', async () => {
    const ringing = await aRingingLeg();
    const stream = {
      ...command(ringing.callControlId),
      clientState: 'x',
      stream: { url: bench.streamUrl('early') },
    };
    expect((await failureOf(bench.carrier.startStreaming(stream))).outcome).toBe('not_answered');
    expect(
      (await failureOf(bench.carrier.speak({ ...command(ringing.callControlId), text: 'Early' }))).outcome,
    ).toBe('not_answered');
    expect(
      (await failureOf(bench.carrier.sendDtmf({ ...command(ringing.callControlId), digits: '1' }))).outcome,
    ).toBe('not_answered');
    await bench.carrier.hangUp(command(ringing.callControlId));
    const ended = await anEndedLeg();
    expect(await bench.carrier.stopStreaming(command(ended.callControlId))).toBe('over');
  });
});

describe('a command whose answer is lost', () => {
  const lost: {
    answer: Extract<ArrangementInput['how'], { kind: 'after_effect' }>['answer'];
    reason: string;
  }[] = [
    { answer: 'error', reason: 'server_error' },
    { answer: 'silence', reason: 'timeout' },
    { answer: 'half', reason: 'timeout' },
    { answer: 'reset', reason: 'unreachable' },
    { answer: 'nonsense', reason: 'unreadable' },
  ];
  test.each(lost)(
    'after $answer has an unknown outcome, is sent once, and is found by our reference',
    async ({ answer, reason }) => {
      const impatient = createTelnyxAccounts({
        baseUrl: bench.emulator.url,
        simulated: true,
        timeoutMs: reason === 'timeout' ? 300 : 10_000,
      })(bench.key);
      const number = freshNumber();
      bench.emulator.persona(number, { name: 'never answers', steps: [{ do: 'no_answer' }] });
      bench.emulator.arrange({ command: 'dial', how: { kind: 'after_effect', answer } });
      const request = {
        connectionId: bench.connectionId,
        from: '+15550001111',
        to: number,
        clientState: `lost ${answer}`,
        commandId: randomUUID(),
        stream: null,
        webhookUrl: bench.hookUrl('events'),
        ringTimeoutSeconds: 30,
        timeLimitSeconds: 60,
        answeringMachineDetection: 'disabled' as const,
        sendSilenceWhenIdle: true,
      };
      const began = Date.now();
      expect(await failureOf(impatient.dial(request))).toMatchObject({ outcome: 'unknown', reason });
      expect(Date.now() - began).toBeLessThan(5_000);
      expect(bench.emulator.rung()[number]).toBe(1);
      const found = await bench.carrier.findLeg({
        connectionId: bench.connectionId,
        clientState: `lost ${answer}`,
      });
      expect(found).not.toBeNull();
      // Repeating the command is harmless while the carrier remembers it.
      expect(await bench.carrier.dial(request)).toEqual(found);
      expect(bench.emulator.rung()[number]).toBe(1);
      await bench.carrier.hangUp(command(found?.callControlId ?? ''));
    },
  );

  test('has an unknown outcome if the carrier cannot be reached', async () => {
    const unreachable = createTelnyxAccounts({
      baseUrl: 'http://127.0.0.1:9/v2',
      simulated: true,
      timeoutMs: 500,
    })(bench.key);
    expect(await failureOf(unreachable.hangUp(command(noSuchLeg)))).toMatchObject({
      outcome: 'unknown',
      reason: 'unreachable',
    });
    expect(await failureOf(unreachable.checkCredentials())).toMatchObject({ outcome: 'unknown' });
  });
});

describe('the account', () => {
  test('checks whether the key is valid', async () => {
    expect(await bench.carrier.checkCredentials()).toBe(true);
    const stranger = createTelnyxAccounts({ baseUrl: bench.emulator.url, simulated: true })('KEY0123');
    expect(await stranger.checkCredentials()).toBe(false);
  });

  test('finds a number only in the account that owns it', async () => {
    const set = async (numbers: unknown) =>
      await fetch(new URL('/emulator/numbers', bench.emulator.url), {
        method: 'POST',
        body: JSON.stringify({ key: bench.key, numbers }),
      });
    await set([
      { phone_number: '+155500011110' },
      { phone_number: '+15550001111', connection_id: bench.connectionId },
      { phone_number: '+15550002222' },
    ]);
    expect(await bench.carrier.findNumber('+15550001111')).toEqual({
      e164: '+15550001111',
      connectionId: bench.connectionId,
    });
    expect(await bench.carrier.findNumber('+15550002222')).toEqual({
      e164: '+15550002222',
      connectionId: null,
    });
    expect(await bench.carrier.findNumber('+15550003333')).toBeNull();
    expect(await failureOf(bench.dial(freshNumber(), { from: '+15550003333' }))).toMatchObject({
      outcome: 'setup',
      carrierCode: 'D35',
    });
    await set(null);
  });

  test('creates an application with an outbound profile, reads and changes it, and answers null for an unknown one', async () => {
    const made = await bench.carrier.createApplication({ name: 'mine', webhookUrl: bench.hookUrl('a') });
    expect(made).toMatchObject({
      name: 'mine',
      webhookUrl: bench.hookUrl('a'),
      isActive: true,
      hasOutboundProfile: true,
    });
    expect(await bench.carrier.findApplication(made.connectionId)).toEqual(made);
    expect(
      await bench.carrier.updateApplication({
        connectionId: made.connectionId,
        name: 'mine',
        webhookUrl: bench.hookUrl('b'),
      }),
    ).toEqual({ ...made, webhookUrl: bench.hookUrl('b') });
    expect(await bench.carrier.findApplication('1')).toBeNull();
  });

  test('has one client per key, which says whether it is simulated', () => {
    const carriers = createTelnyxAccounts({ baseUrl: bench.emulator.url, simulated: true });
    expect(carriers('simulated-a')).toBe(carriers('simulated-a'));
    expect(carriers('simulated-a')).not.toBe(carriers('simulated-b'));
    expect(carriers('simulated-a')).toMatchObject({ simulated: true, provider: 'telnyx' });
    expect(createTelnyxAccounts({ simulated: false })('KEY').simulated).toBe(false);
  });
});

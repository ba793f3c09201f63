import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { callSeats } from '../../src/db/tables/call-seats.ts';
import { turns } from '../../src/db/tables/turns.ts';
import { createTool } from '../../src/services/agents/index.ts';
import { ToolDefinition } from '../../src/contract/tools.ts';
import { CarrierError } from '../../src/domain/telephony/carrier-error.ts';
import type { CarrierNews } from '../../src/domain/telephony/carrier-event.ts';
import { isSuppressed } from '../../src/services/contacts/index.ts';
import { insertCampaign, targetsOf } from '../support/campaign-targets.ts';
import { edge, node, threeStepDefinition } from '../support/definitions.ts';
import { says, type FakeMediaHost, type Script } from '../support/fake-media-host.ts';
import { until } from '../support/until.ts';
import {
  createVoiceWorld,
  type VoiceCall,
  type VoiceChanges,
  type VoiceWorld,
} from '../support/voice-world.ts';

const plain = threeStepDefinition({ webhook: false, extraction: false });
const forever: Script = (_, signal) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('broken off'))));

describe('the end of a phone call', () => {
  let world: VoiceWorld;
  let host: FakeMediaHost;

  beforeAll(async () => {
    world = await createVoiceWorld();
    await world.startWorker();
    host = await world.startHost(() => ({}));
  });
  beforeEach(() => {
    host.steps.length = 0;
    host.stopped.length = 0;
    world.carrier.answers = {};
    world.carrier.sent.length = 0;
  });
  afterAll(async () => await world.close());

  const begin = async (changes: VoiceChanges = {}, definition = plain): Promise<VoiceCall> => {
    const call = await world.prepare(definition, changes);
    expect(await world.starter.startPhoneCall(call.input)).toEqual({ kind: 'accepted' });
    return call;
  };
  const answered = async (changes: VoiceChanges = {}, definition = plain): Promise<VoiceCall> => {
    const call = await begin(changes, definition);
    await call.carrierReports({ kind: 'answered' });
    return call;
  };
  const hangup = (cause: string): CarrierNews => ({ kind: 'hangup', cause, source: 'callee' });
  const firstStep = () => until('the first step', () => Promise.resolve(host.steps.length > 0));
  const saidSteps = () => host.steps.map(({ say, step }) => `${say.kind} ${step.entry.kind}`);

  test.each([
    ['user_busy', 'busy', ['busy', 'not_connected', 'telephony_busy'], 'busy'],
    ['timeout', 'no-answer', ['no-answer', 'not_connected', 'telephony_no-answer'], 'no_answer'],
    ['call_rejected', 'failed', ['failed', 'not_connected', 'telephony_rejected'], 'declined'],
    ['unallocated_number', 'failed', ['failed', 'not_connected', 'telephony_invalid_number'], 'never'],
    ['originator_cancel', 'canceled', ['canceled', 'not_connected', 'telephony_canceled'], 'none'],
    ['normal_clearing', 'no-answer', ['no-answer', 'not_connected', 'telephony_no-answer'], 'no_answer'],
    ['never_seen', 'failed', ['failed', 'not_connected', 'telephony_failed'], 'provider'],
  ])('%s before an answer: %s', async (cause, disposition, tags, retryClass) => {
    const call = await begin();
    await call.carrierReports(hangup(cause));
    expect(await call.ended()).toMatchObject({
      disposition,
      tags,
      answeredAt: null,
      usage: { call_duration_seconds: 0 },
    });
    expect(await call.result()).toMatchObject({ disposition, retryClass, turnCount: 0 });
    expect(world.carrier.requests('hangUp')).toHaveLength(0);
    expect(host.steps).toHaveLength(0);
    // The record releases the seat; its host is not asked.
    const { releasedAt } = await world.base.ctx.db
      .getRepository(callSeats)
      .findOneByOrFail({ callId: call.callId });
    expect(releasedAt).not.toBeNull();
    expect(host.released.filter(({ callId }) => callId === call.callId)).toEqual([]);
  });

  test('an answer event that arrives after the end counts', async () => {
    const call = await begin();
    const now = Date.now();
    await call.carrierReports(hangup('normal_clearing'), { at: new Date(now) });
    await call.carrierReports({ kind: 'answered' }, { at: new Date(now - 1000) });
    expect(await call.ended()).toMatchObject({ disposition: 'user_hangup', tags: ['user_hangup'] });
  });

  // guarantee: media-prove-the-answer
  test.each<[string, (call: VoiceCall) => Promise<unknown>]>([
    [
      'its stream had begun, although its host could tell no one',
      (call) =>
        world.base.ctx.db
          .getRepository(callSeats)
          .update({ callId: call.callId }, { mediaBeganAt: new Date() })
          .then(() => call.carrierReports(hangup('normal_clearing'))),
    ],
    [
      'the hang-up itself says so',
      (call) =>
        call.carrierReports({
          kind: 'hangup',
          cause: 'normal_clearing',
          source: 'callee',
          wasAnswered: true,
        }),
    ],
  ])('a hang-up without an answer event ends an answered call if %s', async (_proof, tell) => {
    const call = await begin();
    await tell(call);
    const row = await call.ended();
    expect(row).toMatchObject({ disposition: 'user_hangup', answeredAt: expect.any(Date) });
    expect(row.usage['call_duration_seconds']).toBeLessThan(1);
    expect(await call.result()).toMatchObject({ retryClass: 'none' });
  });

  test('a call whose answer event is late begins when its media begin', async () => {
    host.script = forever;
    const call = await begin();
    await world.starter.mediaBegan(call.callUuid, { at: new Date().toISOString() });
    await firstStep();
    await call.carrierReports(hangup('normal_clearing'));
    expect(await call.ended()).toMatchObject({ disposition: 'user_hangup' });
  });

  // guarantee: carrier-says-when-a-leg-ended
  test('a hang-up that is told late, or never, counts from when it happened', async () => {
    host.script = () => ({ next: { kind: 'gone' } });
    const answeredAt = Date.now() - 60_000;
    world.carrier.answers.status = () =>
      Promise.resolve({ isAlive: false, endedAt: new Date(answeredAt + 3000).toISOString() });
    const call = await begin();
    await call.carrierReports({ kind: 'answered' }, { at: new Date(answeredAt) });
    const row = await call.ended();
    expect(row).toMatchObject({ disposition: 'user_hangup' });
    expect(row.usage['call_duration_seconds']).toBe(3);
  });

  test('a hang-up while the agent speaks leaves the heard text in the record, without a second hang-up', async () => {
    host.script = async ({ step }) => {
      if (step.entry.kind === 'opening') return says('hello');
      await call.carrierReports(hangup('normal_clearing'));
      return { next: { kind: 'gone' }, wasInterrupted: true };
    };
    const call: VoiceCall = await answered();
    expect(await call.ended()).toMatchObject({
      disposition: 'user_hangup',
      tags: ['user_hangup', 'user_speech'],
    });
    expect(
      (await world.base.ctx.db.getRepository(turns).findBy({ callId: call.callId })).map(
        ({ replyText }) => replyText,
      ),
    ).toEqual(['reply at start', 'reply at start']);
    expect(world.carrier.requests('hangUp')).toHaveLength(0);
  });

  // guarantee: words-of-ended-call-committed
  test('the words of a caller who hangs up at once are in the record, and no host is asked to answer them', async () => {
    host.script = async () => {
      await call.carrierReports(hangup('normal_clearing'));
      return says('please cancel it');
    };
    const call: VoiceCall = await answered();
    expect(await call.ended()).toMatchObject({
      disposition: 'user_hangup',
      tags: ['user_hangup', 'user_speech'],
    });
    expect(
      (await world.base.ctx.db.getRepository(turns).findBy({ callId: call.callId })).map(
        ({ userText, replyText }) => [userText, replyText],
      ),
    ).toEqual([
      [null, 'reply at start'],
      ['please cancel it', null],
    ]);
    expect(host.steps).toHaveLength(1);
  });

  test('silence lets the model ask whether the caller is there; words reset the count; the second consecutive silence ends the call', async () => {
    let count = 0;
    host.script = ({ say }) => {
      count += 1;
      if (say.kind === 'goodbye') return {};
      return count === 2 ? says('I am here') : { next: { kind: 'silence' } };
    };
    const call = await answered();
    expect(await call.ended()).toMatchObject({ disposition: 'user_idle_max_duration_exceeded' });
    expect(saidSteps()).toEqual([
      'reply opening',
      'check_in silence',
      'reply utterance',
      'check_in silence',
      'goodbye closing',
    ]);
    expect(host.steps.at(-1)).toMatchObject({
      say: { reason: 'idle' },
      listens: false,
      step: { mayMove: false, mayUseTools: false },
    });
  });

  test('keypad digits are answered like words', async () => {
    host.script = ({ step }) =>
      step.entry.kind === 'opening'
        ? { next: { kind: 'keypad', digits: '42', at: new Date().toISOString() } }
        : { next: { kind: 'time_up' } };
    const call = await answered();
    expect(await call.ended()).toMatchObject({ tags: ['call_duration_exceeded', 'user_speech'] });
    expect(host.steps[1]).toMatchObject({
      step: { entry: { kind: 'keypad' } },
      pendingLines: [{ speaker: 'user', text: '42', kind: 'keypad' }],
    });
  });

  test('a closing line comes before the end at the maximum duration', async () => {
    host.script = ({ say }) => (say.kind === 'goodbye' ? {} : { next: { kind: 'time_up' } });
    const call = await answered();
    expect(await call.ended()).toMatchObject({ disposition: 'call_duration_exceeded' });
    expect(saidSteps()).toEqual(['reply opening', 'goodbye closing']);
    expect(world.carrier.requests('hangUp')).toHaveLength(1);
  });

  test('a host that never ends is cut off at the maximum duration', async () => {
    host.script = forever;
    const call = await answered({ channel: { maxDurationMs: 1500 } });
    const row = await call.ended();
    expect(row).toMatchObject({ disposition: 'call_duration_exceeded' });
    expect(world.carrier.requests('hangUp')).toHaveLength(1);
    expect(row.usage['call_duration_seconds']).toBeGreaterThan(1.4);
  });

  test('the model is asked again when a provider fails; the third consecutive failure ends the call', async () => {
    let count = 0;
    host.script = ({ say }) => {
      count += 1;
      if (say.kind === 'goodbye') return {};
      return count === 3
        ? says('hello?')
        : { next: { kind: 'fault', stage: 'llm', message: 'no answer in time' } };
    };
    const call = await answered();
    const row = await call.ended();
    expect(row).toMatchObject({ disposition: 'pipeline_error' });
    expect(saidSteps()).toEqual([
      'reply opening',
      'reply again',
      'reply again',
      'reply utterance',
      'reply again',
      'reply again',
      'goodbye closing',
    ]);
    expect(JSON.stringify(row.logs['realtime_feedback_events']).match(/rtf-pipeline-error/g)).toHaveLength(5);
    expect(await call.result()).toMatchObject({ retryClass: 'provider' });
  });

  test('a failing recognizer leads to a check-in, not to the same reply again', async () => {
    host.script = ({ say }) =>
      say.kind === 'check_in'
        ? { next: { kind: 'time_up' } }
        : say.kind === 'reply'
          ? { next: { kind: 'fault', stage: 'stt', message: 'gone' } }
          : {};
    await (await answered()).ended();
    expect(saidSteps()).toEqual(['reply opening', 'check_in silence', 'goodbye closing']);
  });

  const beep: CarrierNews = { kind: 'machine_greeting_ended', result: 'beep_detected' };
  const voicemail = { disposition: 'voicemail_detected', tags: ['voicemail_detected'] };
  const fax = { disposition: 'failed', tags: ['failed', 'not_connected', 'telephony_fax'] };
  test.each<[string, CarrierNews, object, string]>([
    ['a machine', { kind: 'detection', result: 'machine' }, voicemail, 'voicemail'],
    ['a beep without a detection', beep, voicemail, 'voicemail'],
    ['a fax', { kind: 'detection', result: 'fax_detected' }, fax, 'never'],
  ])('%s: the call hangs up at once', async (_title, news, record, retryClass) => {
    host.script = forever;
    const call = await answered({ channel: { detectsMachines: true } });
    await call.carrierReports(news);
    expect(await call.ended()).toMatchObject(record);
    expect(await call.result()).toMatchObject({ retryClass });
    expect(world.carrier.requests('dial')[0]).toMatchObject({ answeringMachineDetection: 'premium' });
    expect(world.carrier.requests('hangUp')).toHaveLength(1);
  });

  test.each<[string, CarrierNews]>([
    ['a beep', beep],
    ['a detected machine', { kind: 'detection', result: 'machine' }],
  ])(
    '%s before a late answer event: the call hangs up at once, and the agent says nothing',
    async (_title, news) => {
      host.script = forever;
      const call = await begin({ channel: { detectsMachines: true } });
      await call.carrierReports(news);
      expect(await call.ended()).toMatchObject({ ...voicemail, answeredAt: expect.any(Date) });
      expect(await call.result()).toMatchObject({ retryClass: 'voicemail', turnCount: 0 });
      await call.carrierReports({ kind: 'answered' });
    },
  );

  test.each(['human_business', 'silence', 'not_sure', 'never_seen'])(
    '%s: the conversation continues',
    async (result) => {
      host.script = async ({ say }) => {
        if (say.kind === 'goodbye') return {};
        await call.carrierReports({ kind: 'detection', result });
        await world.starter.describeState(call.callUuid);
        return { next: { kind: 'time_up' } };
      };
      const call: VoiceCall = await answered({ channel: { detectsMachines: true } });
      expect(await call.ended()).toMatchObject({ disposition: 'call_duration_exceeded' });
    },
  );

  // guarantee: broken-off-step-ends-at-once
  test('an agent with a voicemail message falls silent at the machine, and leaves it once, after the greeting', async () => {
    host.script = (input, signal) => (input.say.kind === 'voicemail_message' ? {} : forever(input, signal));
    const call = await answered({ channel: { detectsMachines: true, leavesMessage: true } });
    await firstStep();
    await call.carrierReports({ kind: 'detection', result: 'machine' });
    await world.starter.describeState(call.callUuid);
    expect(saidSteps()).toEqual(['reply opening']);
    await until('the step to be broken off', () => Promise.resolve(host.stopped.length > 0));
    expect(host.stopped).toMatchObject([{ callId: call.callId, generation: 1 }]);
    await call.carrierReports({ kind: 'machine_greeting_ended', result: 'beep_detected' });
    expect(await call.ended()).toMatchObject({ disposition: 'voicemail_detected' });
    expect(saidSteps()).toEqual(['reply opening', 'voicemail_message closing']);
  });

  test('a machine that is recognized by its words is hung up, too', async () => {
    host.script = () => ({ next: { kind: 'voicemail' } });
    expect(await (await answered()).ended()).toMatchObject({ disposition: 'voicemail_detected' });
  });

  test('a tool ends the call, and its reason is the disposition', async () => {
    const tool = await createTool({
      ctx: world.base.ctx,
      input: {
        name: 'Hang up',
        description: null,
        icon: 'globe',
        iconColor: '#3B82F6',
        definition: ToolDefinition.parse({ type: 'end_call', config: { endCallReason: true } }),
      },
    });
    const definition = {
      nodes: [
        node('start', 'startCall', {
          name: 'Start',
          prompt: 'p',
          greeting: 'Hello.',
          tool_uuids: [tool.tool_uuid],
        }),
        node('bye', 'endCall', { name: 'Bye', prompt: 'b' }),
      ],
      edges: [edge('e1', 'start', 'bye', 'done')],
    };
    host.script = ({ step }) =>
      step.entry.kind === 'opening'
        ? says('wrong number')
        : {
            toolCalls: [
              {
                id: 't1',
                name: 'hang_up',
                argumentsText: '{"reason":"wrong number"}',
                values: { reason: 'wrong number' },
                toolUuid: tool.tool_uuid,
              },
            ],
          };
    const call = await answered({}, definition);
    expect(await call.ended()).toMatchObject({
      disposition: 'wrong number',
      tags: ['wrong number', 'user_speech', 'end_call_tool'],
    });
    expect(saidSteps()).toEqual(['reply opening', 'reply utterance']);
  });

  test('an opt-out suppresses the number while the call continues, and the record shows it', async () => {
    const { ctx } = world.base;
    const tool = await createTool({
      ctx,
      input: {
        name: 'Do not call',
        description: null,
        icon: 'globe',
        iconColor: '#3B82F6',
        definition: ToolDefinition.parse({ type: 'native', config: { action: 'do_not_call' } }),
      },
    });
    const definition = {
      nodes: [
        node('start', 'startCall', {
          name: 'Start',
          prompt: 'p',
          greeting: 'Hello.',
          tool_uuids: [tool.tool_uuid],
        }),
        node('bye', 'endCall', { name: 'Bye', prompt: 'b' }),
      ],
      edges: [edge('e1', 'start', 'bye', 'done')],
    };
    const campaign = await insertCampaign(ctx.db, ctx.organizationId, [{ phone: '15551230099' }]);
    const seen: unknown[] = [];
    host.script = async ({ step }) => {
      if (step.entry.kind === 'opening') return says('never call me again');
      if (step.entry.kind === 'utterance')
        return {
          toolCalls: [
            { id: 't1', name: 'do_not_call', argumentsText: '{}', values: {}, toolUuid: tool.tool_uuid },
          ],
        };
      seen.push(
        await targetsOf(ctx.db, campaign),
        await isSuppressed(ctx.db.manager, ctx.organizationId, '15551230099'),
      );
      await call.carrierReports(hangup('normal_clearing'));
      return { next: { kind: 'gone' } };
    };
    const call: VoiceCall = await answered(
      { row: { initialContext: { called_number: '+1 555 123 0099' } } },
      definition,
    );
    expect(await call.ended()).toMatchObject({ gatheredContext: { do_not_call: true } });
    expect(seen).toEqual([[{ state: 'failed', outcome: 'suppressed', dueAt: null, waitReason: null }], true]);
  });

  test('a phone that is not answered is hung up without an event of the carrier', async () => {
    const call = await world.prepare(plain, { timing: { ringingMs: -14_500 } });
    await world.starter.startPhoneCall(call.input);
    expect(await call.ended()).toMatchObject({ disposition: 'no-answer' });
    expect(world.carrier.requests('hangUp')).toHaveLength(1);
  });

  test('a leg whose end event was lost is found by asking the carrier', async () => {
    host.script = forever;
    world.carrier.answers.status = () => Promise.resolve({ isAlive: false });
    const call = await answered({ timing: { carrierQuietMs: 700, carrierPollMs: 300 } });
    expect(await call.ended()).toMatchObject({ disposition: 'user_hangup' });
    expect(world.carrier.requests('status').length).toBeGreaterThan(0);
  });

  // guarantee: refused-number-is-not-redialed
  test.each([
    [
      'refused',
      { outcome: 'refused' as const, carrierMessage: 'Destination +1 555 123 0001 is barred' },
      'provider',
    ],
    ['capacity', { outcome: 'capacity' as const, carrierMessage: 'User channel limit reached' }, 'capacity'],
    [
      'bad number',
      { outcome: 'bad_number' as const, carrierMessage: 'Phone number must be in +E.164 format' },
      'never',
      ['error', 'not_connected', 'telephony_invalid_number'],
    ],
  ])(
    'a refused dial (%s) rings no phone; the request and the webhooks get the reason',
    async (_, failure, retryClass, tags = ['error']) => {
      world.carrier.answers.dial = () =>
        Promise.reject(new CarrierError('carrier refused', { reason: 'client_error', ...failure }));
      const call = await world.prepare(threeStepDefinition());
      const answer = await world.starter.startPhoneCall(call.input);
      expect(answer).toEqual({
        kind: 'refused',
        message: failure.carrierMessage.replace('+1 555 123 0001', '[number]'),
      });
      const row = await call.ended();
      expect(row).toMatchObject({
        disposition: 'error',
        tags,
        gatheredContext: {
          error: `Failed to initiate call: ${failure.carrierMessage}`,
          call_disposition: 'error',
          mapped_call_disposition: 'error',
        },
        usage: { llm: {}, tts: {}, stt: {}, call_duration_seconds: 0 },
      });
      expect(row.logs['realtime_feedback_events']).toEqual([
        expect.objectContaining({
          type: 'rtf-pipeline-error',
          payload: expect.objectContaining({ fatal: true }),
        }),
      ]);
      expect(await call.result()).toMatchObject({ retryClass, deliveries: 1 });
      expect(world.carrier.requests('dial')).toHaveLength(1);
    },
  );

  test('a cancellation by an operator hangs up, with our own disposition', async () => {
    host.script = forever;
    const call = await answered();
    await firstStep();
    await world.base.temporal.client.workflow.getHandle(`call/${call.callUuid}`).cancel();
    expect(await call.ended()).toMatchObject({ disposition: 'system_cancelled' });
    expect(world.carrier.requests('hangUp')).toHaveLength(1);
  });
});

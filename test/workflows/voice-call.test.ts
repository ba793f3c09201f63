import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { turns } from '../../src/db/tables/turns.ts';
import { threeStepDefinition } from '../support/definitions.ts';
import { says, type FakeMediaHost } from '../support/fake-media-host.ts';
import { createVoiceWorld, type VoiceWorld } from '../support/voice-world.ts';

describe('a call by phone', () => {
  let world: VoiceWorld;
  let host: FakeMediaHost;

  beforeAll(async () => {
    world = await createVoiceWorld();
    await world.startWorker();
    host = await world.startHost(() => ({}));
  });
  afterAll(async () => await world.close());

  test('dials, talks at several nodes, extracts, hangs up and sends its webhook', async () => {
    host.script = ({ step }) => {
      if (step.entry.kind === 'opening') return says('go on please');
      if (step.nodeId === 'start') return { chosenEdge: 'e1', lines: [] };
      if (step.nodeId === 'ask')
        return step.entry.kind === 'edge' ? says('Monday') : { chosenEdge: 'e2', lines: [] };
      return {};
    };
    const call = await world.prepare(threeStepDefinition());
    const dialing = world.starter.startPhoneCall(call.input);
    await call.dialed();
    expect(await dialing).toEqual({ kind: 'accepted' });
    await call.carrierReports({ kind: 'ringing' });
    await call.carrierReports({ kind: 'answered' });
    const row = await call.ended();
    expect(row).toMatchObject({
      disposition: 'user_qualified',
      initialContext: { caller_number: '+15557770001', called_number: '15551230001' },
      gatheredContext: {
        provider: 'telnyx',
        triggered_by: 'api',
        trigger_uuid: 'trigger-1',
        day: 'Monday',
        nodes_visited: ['Start', 'Ask', 'Bye'],
      },
      usage: {
        llm: { 'fake|||model': { prompt_tokens: 50 } },
        tts: { 'fake|||voice': 60 },
        stt: { 'fake|||recognizer': 7.5 },
      },
    });
    expect(row.tags).toEqual(['user_qualified', 'user_speech']);
    expect(
      (
        await world.base.ctx.db
          .getRepository(turns)
          .find({ where: { callId: call.callId }, order: { turnIndex: 'ASC' } })
      ).map(({ userText, replyText }) => [userText, replyText]),
    ).toEqual([
      [null, 'reply at start'],
      ['go on please', 'reply at ask'],
      ['Monday', 'reply at bye'],
    ]);
    expect(world.carrier.requests('dial')).toEqual([
      expect.objectContaining({
        connectionId: 'app-1',
        from: '+15557770001',
        to: '+15551230001',
        commandId: `${call.callUuid}.m1`,
        clientState: `${call.callUuid}.m1#1`,
        timeLimitSeconds: 360,
        ringTimeoutSeconds: 60,
        answeringMachineDetection: 'disabled',
      }),
    ]);
    expect(world.carrier.requests('hangUp')).toHaveLength(1);
    expect(await call.result()).toMatchObject({
      state: 'ended',
      disposition: 'user_qualified',
      deliveries: 1,
      retryClass: 'none',
    });
    expect(host.released).toEqual([expect.objectContaining({ callId: call.callId, generation: 1 })]);
  });
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { turns } from '../../src/db/tables/turns.ts';
import { createCallDriver, type CallDriver } from '../../src/temporal/call-drivers.ts';
import type { RunningWorker } from '../support/call-world.ts';
import { threeStepDefinition } from '../support/definitions.ts';
import { says } from '../support/fake-media-host.ts';
import { createGate } from '../support/scripted-llm.ts';
import { until } from '../support/until.ts';
import { createVoiceWorld, type VoiceCall, type VoiceWorld } from '../support/voice-world.ts';

const plain = threeStepDefinition({ webhook: false, extraction: false });
const hungUp = { kind: 'hangup', cause: 'normal_clearing', source: 'caller' } as const;

describe('a spoken call that no worker serves', () => {
  let world: VoiceWorld;
  let worker: RunningWorker;
  let driver: CallDriver;

  beforeAll(async () => {
    world = await createVoiceWorld();
    worker = await world.startWorker();
    driver = createCallDriver({ temporal: world.base.temporal });
  });
  afterAll(async () => await world.close());

  const answered = async (): Promise<VoiceCall> => {
    const call = await world.prepare(plain);
    expect(await world.starter.startPhoneCall(call.input)).toEqual({ kind: 'accepted' });
    await call.carrierReports({ kind: 'answered' });
    await call.carrierReports({ kind: 'stream_started', generation: 1 });
    return call;
  };

  test('is known by its waiting task, and what its host did alone is completed by the next worker', async () => {
    const gate = createGate();
    const host = await world.startHost(async () => {
      await gate.wait();
      return says('hello');
    });
    const call = await answered();
    await gate.reached;
    await until('its worker to work', async () => (await driver.waitingTask(call.callUuid)) === null);
    await worker.stop();
    gate.open();
    const task = await until(
      'its task to wait',
      async () => (await driver.waitingTask(call.callUuid)) ?? undefined,
    );
    expect(await driver.waitingTask(call.callUuid)).toBe(task);
    await driver.giveUp(call.callUuid, { generation: 1 });
    await call.carrierReports(hungUp);
    worker = await world.startWorker();
    expect(await call.ended()).toMatchObject({ disposition: 'pipeline_error' });
    expect(await call.result()).toMatchObject({ retryClass: 'provider' });
    const said = await world.base.ctx.db.getRepository(turns).findBy({ callId: call.callId });
    expect(said.map(({ userText, replyText }) => [userText, replyText])).toEqual([
      [null, 'reply at start'],
      ['hello', null],
    ]);
    expect(await driver.waitingTask(call.callUuid)).toBeNull();
    await driver.giveUp(call.callUuid, { generation: 1 }); // it is over
    await host.stop();
  });

  test('was given up by its host before its first step, and the next worker notes that', async () => {
    const host = await world.startHost(() => ({ next: { kind: 'gone' } }));
    const call = await world.prepare(plain);
    expect(await world.starter.startPhoneCall(call.input)).toEqual({ kind: 'accepted' });
    await worker.stop();
    await call.carrierReports({ kind: 'answered' });
    await call.carrierReports({ kind: 'stream_started', generation: 1 });
    await driver.giveUp(call.callUuid, { generation: 1 });
    await call.carrierReports(hungUp);
    worker = await world.startWorker();
    expect(await call.ended()).toMatchObject({ disposition: 'pipeline_error' });
    expect(await call.result()).toMatchObject({ retryClass: 'provider' });
    await host.stop();
  });

  test('was not given up when a host of an older generation says so', async () => {
    const gate = createGate();
    const host = await world.startHost(async () => {
      await gate.wait();
      return { next: { kind: 'gone' } };
    });
    const call = await answered();
    await gate.reached;
    await driver.giveUp(call.callUuid, { generation: 0 });
    await call.carrierReports(hungUp);
    gate.open();
    expect(await call.ended()).toMatchObject({ disposition: 'user_hangup' });
    await host.stop();
  });
});

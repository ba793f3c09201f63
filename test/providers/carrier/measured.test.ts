import { expect, test } from '@jest/globals';
import { CarrierError } from '../../../src/domain/telephony/carrier-error.ts';
import { measuredCarriers } from '../../../src/providers/carrier/measured.ts';
import { createPrometheus } from '../../../src/runtime/prometheus.ts';
import { createFakeCarrierPort } from '../../support/fake-carrier.ts';
import { sumOf } from '../../support/metrics-text.ts';

const leg = { callControlId: 'v3:leg', commandId: 'c1' };

test('counts and times every command by its outcome, and passes answers and failures through unchanged', async () => {
  const { metrics, scrape } = createPrometheus({ role: 'worker', labelValues: {} });
  const fake = createFakeCarrierPort();
  const carrier = measuredCarriers(
    () => fake,
    metrics,
  )({ provider: 'telnyx', credentials: { api_key: 'KEY' } });
  const sum = async (name: string, labels: Record<string, string>) =>
    sumOf((await scrape()).text, name, labels);

  expect(await carrier.hangUp(leg)).toBe('done');
  fake.answers.hangUp = () => Promise.resolve('over');
  expect(await carrier.hangUp(leg)).toBe('over');
  const failure = new CarrierError('refused', {
    outcome: 'setup',
    reason: 'client_error',
    carrierMessage: 'call +4930123456',
  });
  fake.answers.hangUp = () => Promise.reject(failure);
  await expect(carrier.hangUp(leg)).rejects.toBe(failure);
  fake.answers.hangUp = () => Promise.reject(new Error('a surprise that names +4930123456'));
  await expect(carrier.hangUp(leg)).rejects.toThrow('a surprise');

  for (const command_outcome of ['done', 'over', 'setup', 'other'])
    expect(await sum('parlance_carrier_commands_total', { command: 'hang_up', command_outcome })).toBe(1);
  expect(await sum('parlance_carrier_command_seconds_count', { command: 'hang_up' })).toBe(4);
  expect((await scrape()).text).not.toContain('4930123456');
});

test('every operation of the port has its own label', async () => {
  const { metrics, scrape } = createPrometheus({ role: 'worker', labelValues: {} });
  const fake = createFakeCarrierPort();
  const carrier = measuredCarriers(
    () => fake,
    metrics,
  )({ provider: 'telnyx', credentials: { api_key: 'KEY' } });
  const commands = Object.entries(carrier).filter(([, each]) => typeof each === 'function');
  for (const [, command] of commands)
    await Reflect.apply(command, carrier, [{ ...leg, clientState: 'x.m1' }]);
  const { text } = await scrape();
  expect(sumOf(text, 'parlance_carrier_commands_total', { command: 'other' }) ?? 0).toBe(0);
  expect(sumOf(text, 'parlance_carrier_commands_total')).toBe(commands.length);
  expect(commands.length).toBe(19);
});

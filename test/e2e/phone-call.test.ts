import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { createListener } from '../../emulators/modem/listener.ts';
import { readWav } from '../../src/domain/audio/wav.ts';
import { folder, statePath } from '../../tools/bootstrap/project.mjs';
import { bundleChangedWorkflows } from '../support/changed-workflows.ts';
import { ordersAt, prepareDesk, resultsAt, startCustomer, trigger } from '../support/chaos/phone-calls.ts';
import { deskNumber, personaOf, phoneCase, type PhoneCase } from '../support/chaos/phone-desk.ts';
import { Fleet, startersOf, type Role } from '../support/chaos/phone-fleet.ts';
import { verdictOf } from '../support/chaos/phone-verdict.ts';
import { watchPhones, type Moment, type PhoneWatch, type SeenCall } from '../support/chaos/phone-watch.ts';
import { startPhoneService, type PhoneService } from '../support/phone-service.ts';
import { eventually, runNode } from '../support/process.ts';
import type { Receiver } from '../support/receiver.ts';

/**
 * Whole phone calls. Every role and every simulator is a separate process; the words that people heard and
 * the customer's webhooks are checked.
 */

let service: PhoneService;
let receiver: Receiver;
let fleet: Fleet;
let ownNumber: string;
let onOrder: (name: string) => void = () => undefined;

beforeAll(async () => {
  const compileCache = folder(statePath('test', `run-${process.pid}`, 'compile-cache')); // it makes process starts a third cheaper
  service = await startPhoneService({
    env: { PARLANCE_LOG_LEVEL: 'info', NODE_COMPILE_CACHE: compileCache },
  });
  receiver = await startCustomer(service, (name) => onOrder(name));
  ({ number: ownNumber } = await prepareDesk(service, receiver));
  fleet = new Fleet(startersOf(service, await bundleChangedWorkflows('present', [])));
  fleet.adopt('api', service.api);
  for (const role of ['worker', 'media', 'media'] as const) await fleet.add(role);
  await eventually(
    'all roles are up',
    () => ([...fleet.members].every((each) => fleet.isReady(each)) ? true : undefined),
    { limitMs: 120_000 },
  );
}, 240_000);

afterAll(async () => {
  fleet?.end();
  await receiver?.close();
  await service?.stop();
}, 60_000);

const Agents = z.array(z.object({ id: z.int(), name: z.string() }));
const Runs = z.object({ runs: z.array(z.object({ id: z.int() })) });
const Run = z.object({
  is_completed: z.boolean(),
  disposition: z.string().nullable(),
  recording_public_url: z.string(),
  user_recording_public_url: z.string(),
  bot_recording_public_url: z.string(),
  transcript_public_url: z.string(),
});

test('the demonstration rings, talks through several nodes, is interrupted once, extracts, hangs up and sends its webhook; recording and transcript contain what was said', async () => {
  const { apiUrl, apiKey, env } = service;
  const demo = runNode('tools/demo/demo.ts', {
    env: {
      PARLANCE_API_URL: apiUrl,
      PARLANCE_API_KEY: apiKey,
      TEMPORAL_UI_URL: env['TEMPORAL_UI_URL'] ?? '',
      TEMPORAL_NAMESPACE: service.namespace,
      PARLANCE_SIMULATED: 'true',
      NO_COLOR: '1',
      PARLANCE_SIMULATED_CARRIER_URL: service.carrier.url,
    },
  });
  const { code } = await demo.ended;
  const byPhone = demo.output().slice(demo.output().indexOf('A phone call'));
  expect({ code, byPhone }).toEqual({ code: 0, byPhone: expect.stringContaining('signature verified') });
  for (const words of [
    'simulated',
    'disposition user_qualified',
    '"preferred_time":"Thursday at 3 PM"',
    '"party_size":2',
    '"call_disposition": "user_qualified"',
  ])
    expect(byPhone).toContain(words);

  const log = await service.carrier.log();
  expect(
    log.filter(
      ({ type, what, droppedMs }) => type === 'stream' && what === 'cleared' && Number(droppedMs) > 0,
    ),
  ).toHaveLength(1); // she interrupted, and the unheard rest was removed
  expect(log.findLast(({ type, state }) => type === 'leg' && state === 'ended')).toMatchObject({
    cause: 'normal_clearing',
    answered: true,
  });
  await judgeFiles();
}, 300_000);

/** The files of the demonstration's call: both sides in the mix, and each side in its own file. */
async function judgeFiles(): Promise<void> {
  const agents = Agents.parse((await service.request('GET', '/workflow/fetch?status=active')).body);
  const agentId = agents.find(({ name }) => name.startsWith('Appointment reminder'))?.id;
  const { runs } = Runs.parse((await service.request('GET', `/workflow/${agentId}/runs`)).body);
  const runId = Math.max(...runs.map(({ id }) => id));
  const run = Run.parse((await service.request('GET', `/workflow/${agentId}/runs/${runId}`)).body);
  expect(run).toMatchObject({ is_completed: true, disposition: 'user_qualified' });
  const [both, caller, agent] = [
    await heardIn(run.recording_public_url),
    await heardIn(run.user_recording_public_url),
    await heardIn(run.bot_recording_public_url),
  ];
  const callersWords = ['I have to travel for work.', "Yes, that's right.", 'My daughter will be seen too'];
  const agentsWords = [
    'Can you come to the appointment as planned?',
    'I have noted Thursday at 3 PM. Is that right?',
    'Goodbye!',
  ];
  for (const words of [...callersWords, ...agentsWords]) expect(both).toContain(words);
  for (const words of callersWords)
    expect({ inCallers: caller.includes(words), inAgents: agent.includes(words) }).toEqual({
      inCallers: true,
      inAgents: false,
    });
  for (const words of agentsWords)
    expect({ inCallers: caller.includes(words), inAgents: agent.includes(words) }).toEqual({
      inCallers: false,
      inAgents: true,
    });
  const transcript = await (await fetch(run.transcript_public_url)).text();
  for (const words of [...callersWords, ...agentsWords]) expect(transcript).toContain(words);
}

/** The words in the audio of a WAV file. */
async function heardIn(url: string): Promise<string> {
  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  const wav = readWav(new Uint8Array(await answer.arrayBuffer()));
  if (wav === null) throw new Error(`${url} is not a WAV file`);
  expect(wav.sampleRate).toBe(8000);
  const listener = createListener({ sampleRate: 8000, onText: () => undefined });
  for (const track of wav.tracks) listener.push(track);
  listener.push(new Int16Array(1600)); // the last character is recognized after a pause
  return listener.text;
}

test('a caller to our number is greeted and served to the end', async () => {
  const each = { ...phoneCase(1), name: 'none', number: '+12025569001' };
  const caller: PhoneCase = {
    ...each,
    clauses: each.clauses.map((clause) => ({
      ...clause,
      text: clause.text.replace('list c01.', 'list none.'),
    })),
  };
  const losses = await judged(
    caller,
    () => undefined,
    async () => {
      const { steps } = personaOf(caller);
      await service.carrier.callIn({
        from: caller.number,
        to: ownNumber,
        persona: { name: 'caller', steps: steps.filter((step) => step.do !== 'ring') },
      });
    },
  );
  expect(losses).toBe(0);
}, 180_000);

test.each<[Role, Moment]>([
  ['media', 'mid-clause'],
  ['worker', 'between turns'],
  ['api', 'tool'],
])(
  'a call survives the death of its %s (%s)',
  async (role, moment) => {
    const each = phoneCase({ media: 11, worker: 21, api: 31 }[role]);
    const kills: Promise<void>[] = [];
    const losses = await judged(
      each,
      (at, call) => {
        if (at !== moment || kills.length > 0) return;
        const victim = fleet
          .of(role)
          .find(({ port }) => role !== 'media' || port === call.streams.at(-1)?.port);
        if (victim !== undefined) kills.push(fleet.kill(victim, at));
      },
      () => trigger(service, each),
    );
    expect({ kills: kills.length, losses }).toEqual({ kills: 1, losses: role === 'media' ? 1 : 0 });
    await Promise.all(kills);
    await eventually(
      'all roles are up again',
      () => ([...fleet.members].every((member) => fleet.isReady(member)) ? true : undefined),
      { limitMs: 120_000 },
    );
  },
  240_000,
);

/** Makes one call and checks it. Answers how often it lost its media host. */
async function judged(
  each: PhoneCase,
  onMoment: (moment: Moment, call: SeenCall) => void,
  begin: () => Promise<unknown>,
): Promise<number> {
  const watch: PhoneWatch = await watchPhones(service.carrier, { deskNumber, onMoment });
  onOrder = () => watch.note('tool', each.number);
  const isDone = () =>
    resultsAt(receiver).some(({ result }) => result.case === each.name) &&
    watch.calls.get(each.number)?.endedAt != null;
  try {
    await begin();
    await eventually(`the result of ${each.name}`, () => (isDone() ? true : undefined), { limitMs: 150_000 });
  } finally {
    await watch.stop();
  }
  const call = watch.calls.get(each.number);
  if (call === undefined) throw new Error('no phone was rung');
  const { violations, transcript, silences, losses } = verdictOf(each, call, watch.entries, fleet.killed);
  for (const { ms } of silences)
    process.stderr.write(`${each.name}: silent for ${ms} ms after its media host was killed\n`);
  expect({ transcript, violations }).toEqual({ transcript, violations: [] });
  expect(watch.rung.get(each.number)).toBe(1);
  expect(resultsAt(receiver).filter(({ result }) => result.case === each.name)).toMatchObject([
    { isSigned: true, result: { case: each.name, call_disposition: each.disposition } },
  ]);
  expect(ordersAt(receiver).filter((name) => name === each.name)).toHaveLength(1);
  return losses;
}

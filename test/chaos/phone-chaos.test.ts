import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder, statePath } from '../../tools/bootstrap/project.mjs';
import { bundleChangedWorkflows } from '../support/changed-workflows.ts';
import { pause } from '../support/chaos/caller.ts';
import { chooseCarrier } from '../support/chaos/choose-carrier.ts';
import { ordersAt, prepareDesk, resultsAt, startCustomer, trigger } from '../support/chaos/phone-calls.ts';
import { deskNumber, phoneCase, type PhoneCase } from '../support/chaos/phone-desk.ts';
import { Fleet, roles, startersOf, type Role } from '../support/chaos/phone-fleet.ts';
import { verdictOf, type Verdict } from '../support/chaos/phone-verdict.ts';
import {
  moments,
  watchPhones,
  type Moment,
  type PhoneWatch,
  type SeenCall,
} from '../support/chaos/phone-watch.ts';
import { startPhoneService, type PhoneService } from '../support/phone-service.ts';
import { eventually } from '../support/process.ts';
import type { Receiver } from '../support/receiver.ts';
import { seededRandom } from '../support/seed.ts';

/**
 * Phone calls while processes die, and while all processes are replaced by those of a changed release.
 * Checked by the numbers that the carrier rang, by the words that the callees heard in the audio, and by the
 * requests at the customer's server.
 */
const callCount = 50;
const callsAtOnce = 10;
/** Live calls during the change of the release, started over this time. */
const changeCalls = 50;
const changeCallsBeginMs = 20_000;
const randomKills = 8;
/**
 * Between two kills of a role: a starting process takes two to three seconds of a core, and the live calls
 * need the other one.
 */
const restMs: Record<Role, number> = { media: 8000, worker: 8000, api: 12_000 };

const ofThisRun = folder(statePath('test', `run-${process.pid}`));
/** Logs of the roles and of the carrier after a failed run. */
const failureLog = (what: string) => join(folder(statePath('test', 'logs')), `phone-chaos-${what}`);
const random = seededRandom('phone chaos');

let service: PhoneService;
let receiver: Receiver;
let onOrder: (name: string) => void = () => undefined;
let fleet: Fleet;
/** The processes of the changed release. */
let nextFleet: Fleet | undefined;

beforeAll(async () => {
  const compileCache = folder(join(ofThisRun, 'compile-cache')); // it makes process starts a third cheaper
  service = await startPhoneService({
    env: { PARLANCE_LOG_LEVEL: 'info', NODE_COMPILE_CACHE: compileCache },
  });
  receiver = await startCustomer(service, (name) => onOrder(name));
  await prepareDesk(service, receiver);
  fleet = new Fleet(startersOf(service));
  fleet.adopt('api', service.api);
  for (const role of ['worker', 'worker', 'media', 'media', 'media'] as const) await fleet.add(role);
  await eventually(
    'all roles are up',
    () => ([...fleet.members].every((each) => fleet.isReady(each)) ? true : undefined),
    { limitMs: 120_000 },
  );
}, 240_000);

afterAll(async () => {
  fleet?.end();
  nextFleet?.end();
  await receiver?.close();
  await service?.stop();
}, 60_000);

// guarantee: call-resumes-at-another-host
test('fifty phone calls survive the death of media hosts, workers and API: each has one correct disposition, no callee is rung twice, no heard speech is repeated, and none is left out', async () => {
  await chooseCarrier(service, { random, title: 'phone chaos' });
  const cases = Array.from({ length: callCount }, (_, index) => phoneCase(index + 1));
  const due = new Map<Moment, Set<Role>>(moments.map((moment) => [moment, new Set(roles)]));
  const watch = await watchPhones(service.carrier, {
    deskNumber,
    onMoment: (moment, call) => killAt(moment, call),
  });
  const killing = { random: 0, last: new Map<Role, number>(), tasks: new Set<Promise<void>>() };
  onOrder = (name) => watch.note('tool', cases.find((each) => each.name === name)?.number ?? '');

  function mayDie(role: Role): boolean {
    return (
      Date.now() - (killing.last.get(role) ?? 0) >= restMs[role] &&
      (role === 'api' || fleet.of(role).filter((each) => fleet.isReady(each)).length > 1)
    );
  }

  function strike(role: Role, why: string, port?: number): boolean {
    const candidates = fleet
      .of(role)
      .filter((each) => fleet.isReady(each) && (port === undefined || each.port === port));
    const member = candidates[Math.floor(random() * candidates.length)];
    if (member === undefined || !mayDie(role)) return false;
    killing.last.set(role, Date.now());
    killing.tasks.add(fleet.kill(member, why));
    return true;
  }

  function killAt(moment: Moment, call: SeenCall): void {
    const left = due.get(moment) ?? new Set();
    for (const role of left) {
      if (!strike(role, moment, role === 'media' ? call.streams.at(-1)?.port : undefined)) continue;
      left.delete(role);
      return;
    }
  }

  const isOver = { value: false };
  const atRandom = (async () => {
    while (!isOver.value && killing.random < randomKills) {
      await pause(3000 + random() * 8000);
      // A paused killer could miss a rare point, so a role dies at random only after it has died at each of
      // its points.
      const free = roles.filter(
        (role) => role !== 'api' || [...due.values()].every((left) => !left.has(role)),
      );
      if (!isOver.value && strike(free[Math.floor(random() * free.length)] ?? 'media', 'at random'))
        killing.random += 1;
    }
  })();
  try {
    await placeAll(cases, watch, { atOnce: callsAtOnce, withinMs: 1500 });
  } catch (error) {
    await leaveTraces('killed', watch, cases);
    throw error;
  } finally {
    isOver.value = true;
    await atRandom;
    await watch.stop();
    await Promise.all(killing.tasks);
  }
  const verdicts = judge(cases, watch, fleet.killed);
  report('killed', verdicts);
  const bad = verdicts.filter(({ violations }) => violations.length > 0);
  if (bad.length > 0) await leaveTraces('killed', watch, cases);
  expect(bad.map(({ name, violations, transcript }) => ({ name, violations, transcript }))).toEqual([]);
  judgeResults(cases, watch);
  expect([...due].flatMap(([moment, left]) => [...left].map((role) => `${role} ${moment}`))).toEqual([]);
}, 600_000);

/**
 * Places all calls, this many at once, each within some time after the one before, until the customer has
 * every result and every leg is over.
 */
async function placeAll(
  cases: readonly PhoneCase[],
  watch: PhoneWatch,
  { atOnce, withinMs }: { atOnce: number; withinMs: number },
): Promise<void> {
  const waiting = [...cases];
  const isDone = ({ name, number }: PhoneCase) =>
    resultsAt(receiver).some(({ result }) => result.case === name) &&
    watch.calls.get(number)?.endedAt != null;
  const place = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const each = next;
      await pause(random() * withinMs);
      await trigger(service, each);
      await eventually(`the result of ${each.name}`, () => (isDone(each) ? true : undefined), {
        limitMs: 180_000,
        everyMs: 100,
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, place));
}

function judge(cases: readonly PhoneCase[], watch: PhoneWatch, killed: Fleet['killed']): Verdict[] {
  return cases.flatMap((each) => {
    const call = watch.calls.get(each.number);
    return call === undefined ? [] : [verdictOf(each, call, watch.entries, killed)];
  });
}

/** One signed result for each call with the correct disposition; each person rung once; no order twice. */
function judgeResults(cases: readonly PhoneCase[], watch: PhoneWatch): void {
  const results = resultsAt(receiver);
  const outcomes = cases.map(({ name }) => {
    const own = results.filter(({ result }) => result.case === name);
    return {
      name,
      disposition: own[0]?.result.call_disposition,
      webhooks: new Set(own.map(({ webhookId }) => webhookId)).size,
      isSigned: own.every(({ isSigned }) => isSigned),
    };
  });
  expect(outcomes).toEqual(
    cases.map(({ name, disposition }) => ({ name, disposition, webhooks: 1, isSigned: true })),
  );
  expect(
    cases
      .filter(({ number }) => watch.rung.get(number) !== 1)
      .map(({ name, number }) => `${name} was rung ${watch.rung.get(number)} times`),
  ).toEqual([]);
  const orders = Map.groupBy(ordersAt(receiver), (name) => name);
  expect([...orders].filter(([, times]) => times.length > 1).map(([name]) => name)).toEqual([]);
}

function report(what: string, verdicts: readonly Verdict[]): void {
  const silences = verdicts.flatMap((each) => each.silences.map(({ ms }) => ms));
  const kills = Object.entries(Object.groupBy(fleet.killed, ({ role }) => role)).map(
    ([role, each]) => `${role} ${each?.length}`,
  );
  process.stderr.write(
    `phone chaos, ${what}: kills ${kills.join(', ')} (${fleet.killed.filter(({ why }) => why === 'at random').length} of them at random); calls that lost their host ${verdicts.filter(({ losses }) => losses > 0).length}, hosts lost ${verdicts.reduce((sum, { losses }) => sum + losses, 0)}; silence p50 ${percentile(silences, 0.5)} ms, p95 ${percentile(silences, 0.95)} ms, longest ${percentile(silences, 1)} ms of ${silences.length}\n`,
  );
}

async function leaveTraces(what: string, watch: PhoneWatch, cases: readonly PhoneCase[]): Promise<void> {
  const model: unknown = await fetch(new URL('/emulator/log', service.llmUrl)).then((answer) =>
    answer.json(),
  );
  writeFileSync(failureLog(`${what}-model.json`), JSON.stringify(model));
  writeFileSync(failureLog(`${what}-roles.log`), service.logs());
  writeFileSync(
    failureLog(`${what}-calls.json`),
    JSON.stringify(
      {
        killed: fleet.killed,
        verdicts: judge(cases, watch, what === 'killed' ? fleet.killed : []),
        results: resultsAt(receiver),
        log: watch.entries,
      },
      null,
      1,
    ),
  );
  process.stderr.write(`phone chaos: the logs of the roles and the carrier are in ${failureLog(what)}-*\n`);
}

/** The change of the later release, which runs in the middle of every turn. */
const changes = [
  {
    file: 'src/workflows/call/turn.ts',
    from: "import { CancellationScope } from '@temporalio/workflow';",
    to: "import { CancellationScope, patched, sleep } from '@temporalio/workflow';",
  },
  {
    file: 'src/workflows/call/turn.ts',
    from: '  return {\n    result: finishTurn(input.plan, turn),',
    to: "  if (patched('pause')) await sleep(5, { summary: 'pause' });\n  return { result: finishTurn(input.plan, turn),",
  },
];

test('every role is replaced by a changed release during calls: no call ends, no greeting repeats, and no one notices', async () => {
  await service.carrier.control('/emulator/faults', {});
  await eventually(
    'all roles are up',
    () => ([...fleet.members].every((each) => fleet.isReady(each)) ? true : undefined),
    { limitMs: 60_000 },
  );
  const bundle = await bundleChangedWorkflows('release', changes);
  const talking = Array.from({ length: changeCalls * 2 }, (_, index) => phoneCase(index + 101)).filter(
    ({ clauses }) => clauses.length > 0,
  );
  const cases = talking.slice(0, changeCalls);
  const watch = await watchPhones(service.carrier, { deskNumber, onMoment: () => undefined });
  const killedBefore = fleet.killed.length;
  const placing = placeAll(cases, watch, { atOnce: changeCalls, withinMs: changeCallsBeginMs });
  let codes: (number | null)[] = [];
  try {
    await eventually(
      'people talk',
      () =>
        [...watch.calls.values()].filter(({ replies }) => replies > 0).length >= changeCalls / 2
          ? true
          : undefined,
      { limitMs: 60_000 },
    );
    codes = await replaceAll(bundle);
    await placing;
  } catch (error) {
    await leaveTraces('replaced', watch, cases);
    throw error;
  } finally {
    await watch.stop();
  }
  const verdicts = judge(cases, watch, []);
  const moved = [...watch.calls.values()].filter(({ streams }) => streams.length > 1).length;
  process.stderr.write(
    `rolling restart: ${codes.length} processes replaced under ${cases.length} calls, ${moved} of them moved to another media host\n`,
  );
  const bad = verdicts.filter(({ violations }) => violations.length > 0);
  if (bad.length > 0) await leaveTraces('replaced', watch, cases);
  expect(bad.map(({ name, violations, transcript }) => ({ name, violations, transcript }))).toEqual([]);
  judgeResults(cases, watch);
  expect(codes.every((code) => code === 0)).toBe(true);
  expect(moved).toBeGreaterThan(0);
  expect(fleet.killed).toHaveLength(killedBefore);
}, 400_000);

/**
 * One after the other. The new process is ready before the old one gets its stop signal, except for the API,
 * which has one port. Answers how each ended.
 */
async function replaceAll(bundle: string): Promise<(number | null)[]> {
  const next = new Fleet(startersOf(service, bundle));
  nextFleet = next;
  const codes: (number | null)[] = [];
  for (const role of roles) {
    for (const old of fleet.of(role)) {
      const isAlone = role === 'api';
      const stop = async () => {
        fleet.members.delete(old); // it ends on request
        codes.push((await old.running.stop(90_000)).code);
      };
      if (isAlone) await stop();
      const member = await next.add(role);
      await eventually(`the new ${role} is up`, () => (next.isReady(member) ? true : undefined), {
        limitMs: 60_000,
        detail: () => member.running.output(),
      });
      if (!isAlone) await stop();
    }
  }
  return codes;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

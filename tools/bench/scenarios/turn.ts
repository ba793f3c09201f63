import { createAgent, openConversation, type Api, type Conversation } from '../conversations.ts';
import { addHops, hopTimes, type HopTime } from '../hops.ts';
import { concurrently, pause } from '../concurrency.ts';
import { machineUse } from '../machine.ts';
import type { Section } from '../report.ts';
import type { ScenarioOptions } from '../scenario.ts';
import type { MeasuredRole, MeasuredService } from '../service.ts';
import { statementsOf } from '../statements.ts';
import { quantile, summarize } from '../statistics.ts';
import { turnSection, type Load, type MeasuredTurns, type Outcome } from './turn-section.ts';

interface Subject {
  api: Api;
  roles: MeasuredRole[];
  /** Of the worker; the baseline has none. */
  metricsUrl: string | null;
}

/** Measures the cost of a text turn in addition to the model, with Temporal and without. */
export async function measureTurns({ service, isQuick, print }: ScenarioOptions): Promise<Section> {
  const agentId = await createAgent(service.api, service.receiver.url);
  const direct = await service.startBeside('tools/bench/direct/main.ts');
  const subjects = {
    withTemporal: {
      api: service.api,
      roles: [service.roles.api, service.roles.worker],
      metricsUrl: service.workerMetricsUrl,
    },
    direct: { api: direct.api, roles: [direct.role], metricsUrl: null },
  };
  const measured: MeasuredTurns[] = [];
  try {
    for (const firstTokenMs of [0, 350]) {
      for (const load of loadsOf(isQuick)) {
        print(`turn: ${load.sessions} session(s), first token after ${firstTokenMs} ms`);
        await service.model.answerAfter(firstTokenMs);
        const outcomes = {
          direct: await run(service, subjects.direct, agentId, load),
          withTemporal: await run(service, subjects.withTemporal, agentId, load),
        };
        measured.push({ load, firstTokenMs, ...outcomes });
      }
    }
  } finally {
    await direct.stop();
  }
  return turnSection(measured);
}

function loadsOf(isQuick: boolean): Load[] {
  return isQuick
    ? [
        { sessions: 1, turns: 5, everyMs: 0, rounds: 2 },
        { sessions: 10, turns: 2, everyMs: 2000, rounds: 1 },
      ]
    : [
        { sessions: 1, turns: 10, everyMs: 0, rounds: 10 },
        { sessions: 50, turns: 10, everyMs: 8000, rounds: 1 },
      ];
}

interface Sample {
  /** The user's line, unique per turn, which identifies the model's time. */
  line: string;
  wallMs: number;
}

async function run(
  service: MeasuredService,
  { api, roles, metricsUrl }: Subject,
  agentId: number,
  load: Load,
): Promise<Outcome> {
  await warmUp(api, agentId);
  const samples: Sample[] = [];
  const [cpuMs, uses, statements, hops]: [number[], number[], number[], HopTime[][]] = [[], [], [], []];
  for (let round = 0; round < load.rounds; round += 1) {
    const conversations = await concurrently({ count: load.sessions, width: 8 }, () =>
      openConversation(api, agentId),
    );
    const hopsSince = metricsUrl === null ? null : await hopTimes(metricsUrl);
    const statementsBefore = await statementsOf(service);
    const [cpuBefore, use] = [await cpuOf(roles), machineUse()];
    const spoken = await Promise.all(
      conversations.map((each, index) => talk(each, load, (index / load.sessions) * load.everyMs)),
    );
    cpuMs.push((await cpuOf(roles)) - cpuBefore);
    uses.push(use());
    statements.push((await statementsOf(service)) - statementsBefore);
    if (hopsSince !== null) hops.push(await hopsSince());
    samples.push(...spoken.flat());
    await concurrently(
      { count: load.sessions, width: 8 },
      async (index) => void (await conversations[index]?.end()),
    );
  }
  const spent = await service.model.spentMs();
  return {
    wall: summarize(samples.map(({ wallMs }) => wallMs)),
    modelP50: quantile(
      samples.map(({ line }) => spentOn(line, spent)),
      0.5,
    ),
    overhead: summarize(samples.map(({ line, wallMs }) => wallMs - spentOn(line, spent))),
    cpuMsPerTurn: total(cpuMs) / samples.length,
    machineUse: total(uses) / uses.length,
    statementsPerTurn: total(statements) / samples.length,
    hops: addHops(hops).map(({ what, times, ms }) => ({
      what,
      times: times / samples.length,
      ms: ms / samples.length,
    })),
  };
}

async function warmUp(api: Api, agentId: number): Promise<void> {
  const conversation = await openConversation(api, agentId);
  for (let turn = 0; turn < 3; turn += 1) await conversation.say('Not counted.');
  await conversation.end();
}

let lines = 0;

/**
 * `afterMs` spreads the sessions over the pace. A turn that lasts longer than the pace delays the next one.
 */
async function talk({ say }: Conversation, { turns, everyMs }: Load, afterMs: number): Promise<Sample[]> {
  const begun = performance.now();
  const samples: Sample[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    if (everyMs > 0) await pause(begun + afterMs + turn * everyMs - performance.now());
    const line = `This is line ${(lines += 1)} of the benchmark. I would like to know a little more about my appointment.`;
    samples.push({ line, wallMs: (await say(line)).wallMs });
  }
  return samples;
}

function spentOn(line: string, spent: ReadonlyMap<string, number>): number {
  const ms = spent.get(line);
  if (ms === undefined) throw new Error('The simulated model was never asked about a line that was answered');
  return ms;
}

async function cpuOf(roles: readonly MeasuredRole[]): Promise<number> {
  return total(await Promise.all(roles.map((each) => each.cpuMs())));
}

function total(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0);
}

import { createAgent, openConversation, type Api, type Conversation } from '../conversations.ts';
import { inLanes, pause } from '../lanes.ts';
import { machineUse } from '../machine.ts';
import { figure, type Section, type Target } from '../report.ts';
import type { ScenarioOptions } from '../scenario.ts';
import type { MeasuredRole, MeasuredService } from '../service.ts';
import { quantile, summarize, type Summary } from '../statistics.ts';

interface Load {
  sessions: number;
  turns: number;
  /** Pace of each session; 0 = the next message as soon as the last is answered. */
  everyMs: number;
  /** Times that all of it is done, one after the other. */
  rounds: number;
}

interface Subject {
  api: Api;
  roles: MeasuredRole[];
}

interface Measured {
  load: Load;
  firstTokenMs: number;
  withTemporal: Outcome;
  direct: Outcome;
}

interface Outcome {
  /** From sending the message to having the answer. */
  wall: Summary;
  modelP50: number;
  /** The request's time less the model's. */
  overhead: Summary;
  cpuMsPerTurn: number;
  machineUse: number;
}

const wanted = { p50: 50, p95: 120 };

/** What a turn of a text conversation costs beside the model, with Temporal and without. */
export async function measureTurns({ service, isQuick, tell }: ScenarioOptions): Promise<Section> {
  const agentId = await createAgent(service.api, service.receiver.url);
  const direct = await service.startDirect();
  const subjects = {
    withTemporal: { api: service.api, roles: [service.roles.api, service.roles.worker] },
    direct: { api: direct.api, roles: [direct.role] },
  };
  const measured: Measured[] = [];
  try {
    for (const firstTokenMs of [0, 350]) {
      for (const load of loadsOf(isQuick)) {
        tell(`turn: ${load.sessions} session(s), first token after ${firstTokenMs} ms`);
        await service.model.answerAfter(firstTokenMs);
        const outcomes = { direct: await run(service, subjects.direct, agentId, load), withTemporal: await run(service, subjects.withTemporal, agentId, load) };
        measured.push({ load, firstTokenMs, ...outcomes });
      }
    }
  } finally {
    await direct.stop();
  }
  return section(measured);
}

function loadsOf(isQuick: boolean): Load[] {
  return isQuick
    ? [{ sessions: 1, turns: 5, everyMs: 0, rounds: 2 }, { sessions: 10, turns: 2, everyMs: 2000, rounds: 1 }]
    : [{ sessions: 1, turns: 10, everyMs: 0, rounds: 10 }, { sessions: 50, turns: 10, everyMs: 8000, rounds: 1 }];
}

interface Sample {
  /** The user's line, which no other turn has: by it the model's time is found. */
  line: string;
  wallMs: number;
}

async function run(service: MeasuredService, { api, roles }: Subject, agentId: number, load: Load): Promise<Outcome> {
  await warmUp(api, agentId);
  const samples: Sample[] = [];
  const [cpuMs, uses]: [number[], number[]] = [[], []];
  for (let round = 0; round < load.rounds; round += 1) {
    const conversations = await inLanes({ count: load.sessions, width: 8 }, () => openConversation(api, agentId));
    const [cpuBefore, use] = [await cpuOf(roles), machineUse()];
    const spoken = await Promise.all(conversations.map((each, index) => talk(each, load, (index / load.sessions) * load.everyMs)));
    cpuMs.push((await cpuOf(roles)) - cpuBefore);
    uses.push(use());
    samples.push(...spoken.flat());
    await inLanes({ count: load.sessions, width: 8 }, async (index) => void (await conversations[index]?.end()));
  }
  const spent = await service.model.spentMs();
  return {
    wall: summarize(samples.map(({ wallMs }) => wallMs)),
    modelP50: quantile(samples.map(({ line }) => spentOn(line, spent)), 0.5),
    overhead: summarize(samples.map(({ line, wallMs }) => wallMs - spentOn(line, spent))),
    cpuMsPerTurn: total(cpuMs) / samples.length,
    machineUse: total(uses) / uses.length,
  };
}

async function warmUp(api: Api, agentId: number): Promise<void> {
  const conversation = await openConversation(api, agentId);
  for (let turn = 0; turn < 3; turn += 1) await conversation.say('Not counted.');
  await conversation.end();
}

let lines = 0;

/** `afterMs` spreads the sessions over the pace. A turn that lasts longer than the pace delays the next one. */
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

function section(measured: readonly Measured[]): Section {
  return {
    id: 'turn',
    title: 'A turn of a text conversation',
    method: [
      'One request is `POST …/messages`, answered after the reply is committed. *Model* is the time between the arrival of the request at the simulated model and its last byte, as the model itself noted it. **Overhead** = the request\'s time − the model\'s time, turn by turn: HTTP, authentication, MySQL, prompts, the OpenAI client and Temporal.',
      '*Without Temporal* is the baseline: the same API process, middleware, verbs, MySQL and model, where `converse` and `commitTurn` are called one after the other instead of in a Workflow. *Temporal\'s share* is the difference of the two medians, the ratio their quotient.',
      measured.map(({ load }) => load).filter((load, index, all) => all.findIndex((each) => each.sessions === load.sessions) === index).map(described).join(' '),
    ],
    tables: [
      {
        columns: ['First token after', 'Sessions', 'Request p50 / p95, ms', 'Model p50, ms', 'Overhead p50 / p95, ms', 'Without Temporal p50 / p95, ms', "Temporal's share p50, ms", 'Ratio p50'],
        rows: measured.map(({ firstTokenMs, load, withTemporal, direct }) => [
          `${firstTokenMs} ms`,
          String(load.sessions),
          pair(withTemporal.wall),
          figure(withTemporal.modelP50),
          pair(withTemporal.overhead),
          pair(direct.overhead),
          figure(withTemporal.overhead.p50 - direct.overhead.p50),
          `${figure(withTemporal.overhead.p50 / direct.overhead.p50)} ×`,
        ]),
      },
      {
        columns: ['First token after', 'Sessions', 'Processor time a turn: API + worker, ms', 'Without Temporal, ms', 'Machine in use', 'Without Temporal'],
        rows: measured.map(({ firstTokenMs, load, withTemporal, direct }) => [`${firstTokenMs} ms`, String(load.sessions), figure(withTemporal.cpuMsPerTurn), figure(direct.cpuMsPerTurn), share(withTemporal.machineUse), share(direct.machineUse)]),
      },
    ],
    targets: measured.filter(({ firstTokenMs }) => firstTokenMs === 0).flatMap(targetsOf),
  };
}

function described({ sessions, turns, everyMs, rounds }: Load): string {
  return everyMs === 0 ? `1 session: ${rounds} conversations of ${turns} turns, one after the other, back to back.` : `${sessions} sessions at once: each says something every ${everyMs / 1000} s, ${turns} times, the sessions spread evenly over that time.`;
}

function targetsOf({ load, withTemporal: { overhead } }: Measured): Target[] {
  return (['p50', 'p95'] as const).map((name) => ({
    what: `Overhead of a turn, ${load.sessions} session(s), no delay of the model, ${name}`,
    wanted: `≤ ${wanted[name]} ms`,
    measured: `${figure(overhead[name])} ms`,
    isMet: overhead[name] <= wanted[name],
  }));
}

function pair({ p50, p95 }: Summary): string {
  return `${figure(p50)} / ${figure(p95)}`;
}

function share(value: number): string {
  return `${Math.round(value * 100)} %`;
}

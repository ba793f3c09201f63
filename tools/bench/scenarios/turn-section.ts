import type { HopTime } from '../hops.ts';
import { figure, type Section, type Table, type Target } from '../report.ts';
import type { Summary } from '../statistics.ts';

/** The load of the turns. */
export interface Load {
  sessions: number;
  turns: number;
  /** Interval between a session's messages; 0 = the next message as soon as the last is answered. */
  everyMs: number;
  /** How often the whole load runs, one after the other. */
  rounds: number;
}

/** One load, with Temporal and without. */
export interface MeasuredTurns {
  load: Load;
  firstTokenMs: number;
  withTemporal: Outcome;
  direct: Outcome;
}

export interface Outcome {
  /** From sending the message to its answer. */
  wall: Summary;
  modelP50: number;
  /** The request's time less the model's. */
  overhead: Summary;
  cpuMsPerTurn: number;
  machineUse: number;
  /** NaN if the server does not count. */
  statementsPerTurn: number;
  hops: HopTime[];
}

const wanted = { p50: 50, p95: 120 };

/** The results of the turns as a section of the report. */
export function turnSection(measured: readonly MeasuredTurns[]): Section {
  return {
    id: 'turn',
    title: 'A turn of a text conversation',
    method: [
      "One request is `POST …/messages`, answered after the reply is committed. *Model* is the time between the arrival of the request at the simulated model and its last byte, from the model's own log. **Overhead** = the request's time − the model's time, turn by turn: HTTP, authentication, MySQL, prompts, the OpenAI client and Temporal.",
      "*Without Temporal* is the baseline: the same API process, middleware, verbs, MySQL and model, where `converse` and `commitTurn` run one after the other instead of in a Workflow. *Temporal's share* is the difference of the two medians, the ratio their quotient.",
      measured
        .map(({ load }) => load)
        .filter((load, index, all) => all.findIndex((each) => each.sessions === load.sessions) === index)
        .map(described)
        .join(' '),
    ],
    tables: [
      {
        columns: [
          'First token after',
          'Sessions',
          'Request p50 / p95, ms',
          'Model p50, ms',
          'Overhead p50 / p95, ms',
          'Without Temporal p50 / p95, ms',
          "Temporal's share p50, ms",
          'Ratio p50',
        ],
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
        columns: [
          'First token after',
          'Sessions',
          'Processor time a turn: API + worker, ms',
          'Without Temporal, ms',
          'MySQL statements a turn',
          'Without Temporal',
          'Use of the machine',
          'Without Temporal',
        ],
        rows: measured.map(({ firstTokenMs, load, withTemporal, direct }) => [
          `${firstTokenMs} ms`,
          String(load.sessions),
          figure(withTemporal.cpuMsPerTurn),
          figure(direct.cpuMsPerTurn),
          figure(withTemporal.statementsPerTurn),
          figure(direct.statementsPerTurn),
          share(withTemporal.machineUse),
          share(direct.machineUse),
        ]),
      },
      hopTable(measured.filter(({ firstTokenMs }) => firstTokenMs === 0)),
    ],
    targets: measured.filter(({ firstTokenMs }) => firstTokenMs === 0).flatMap(targetsOf),
  };
}

function described({ sessions, turns, everyMs, rounds }: Load): string {
  return everyMs === 0
    ? `1 session: ${rounds} conversations of ${turns} turns, one after the other without pauses.`
    : `${sessions} concurrent sessions: each sends a message every ${everyMs / 1000} s, ${turns} times, and the sessions are spread evenly over that interval.`;
}

/** The parts of a turn without model delay. */
function hopTable(measured: readonly MeasuredTurns[]): Table {
  const [first] = measured;
  if (first === undefined) throw new Error('Nothing was measured');
  return {
    columns: [
      'A turn without model delay, as the worker saw it',
      'Times a turn',
      ...measured.map(({ load }) => `ms a turn, ${load.sessions} session(s)`),
    ],
    rows: first.withTemporal.hops.map(({ what, times }, index) => [
      what,
      figure(times),
      ...measured.map(({ withTemporal }) => figure(withTemporal.hops[index]?.ms ?? Number.NaN)),
    ]),
  };
}

function targetsOf({ load, withTemporal: { overhead } }: MeasuredTurns): Target[] {
  return (['p50', 'p95'] as const).map((name) => ({
    what: `Overhead of a turn, ${load.sessions} session(s), no model delay, ${name}`,
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

import { figure, quantiles, type Section, type Table, type Target } from '../report.ts';
import { stages, type Delays, type Stage, type TurnTimes } from '../phone/turn-times.ts';
import { parts, type Part, type Use } from '../phone/use.ts';
import { quantile } from '../statistics.ts';

/** This many concurrent calls for some time. Milliseconds. */
export interface MeasuredLoad {
  live: number;
  delays: Delays;
  turns: TurnTimes[];
  greetingsMs: number[];
  acknowledgements: { ms: number[]; refused: number };
  /** Upper bounds of the metric's buckets. */
  tickLateMs: { p99: number; max: number };
  /** Frames of 20 ms that the callee missed because the host was late. */
  gaps: number;
  seconds: number;
  use: Use;
  /** By disposition. */
  otherEnds: Record<string, number>;
}

export interface Interruptions {
  people: number;
  ms: number[];
  missed: number;
}

/** From the start of a stream to the first sound, while the carrier reports the answer that late. */
export interface Openings {
  lateMs: number;
  people: number;
  ms: number[];
}

export function liveCallsSection({
  loads,
  interruptions,
  openings,
}: {
  loads: readonly MeasuredLoad[];
  interruptions: Interruptions;
  openings: readonly Openings[];
}): Section {
  return {
    id: 'calls-live',
    title: 'Live calls by phone',
    method: [
      'Carrier, callees, speech recognition, voices and model are **simulated** on the same machine as the service. Each callee hears and answers real audio, with about one turn in 8 s. Calls start with the trigger, are recorded, and end with a webhook. All figures are measured while all calls are live; the figures of turns come from the rows of the turns.',
      "**Overhead** = from the decision that the caller has finished to the first frame of the reply − the part of the providers' configured delay after that decision. Time that the emulators need beyond their configured delay (their processor time and waiting for it) counts as overhead here. *As the host saw it* instead subtracts the whole time that the media host waited for a provider. The true value is between the two. *Without delay* the model and the voices answer at once, and nothing hides the time of Temporal.",
    ],
    tables: [
      overheadTable(loads),
      stageTable(loads.filter(({ delays }) => delays.firstTokenMs > 0)),
      punctualityTable(loads),
      coresTable(loads),
      memoryTable(loads),
      interruptionTable(interruptions),
      openingTable(openings),
    ],
    targets: [...targetsOf(loads, interruptions), ...openings.flatMap(openingTarget)],
  };
}

const delaysText = ({ firstTokenMs, firstAudioMs }: Delays) =>
  firstTokenMs + firstAudioMs === 0 ? 'none' : `${firstTokenMs} + ${firstAudioMs} ms`;
const overheads = ({ turns }: MeasuredLoad) => turns.map(({ overheadMs }) => overheadMs);

function overheadTable(loads: readonly MeasuredLoad[]): Table {
  return {
    columns: [
      'First token + first sound after',
      'Live calls',
      'Turns',
      'Overhead p50 / p95 / p99, ms',
      'As the host saw it p50 / p95, ms',
      'Decision to first frame p50 / p95, ms',
      'Against 1 call, p50',
    ],
    rows: loads.map((load) => [
      delaysText(load.delays),
      String(load.live),
      figure(load.turns.length),
      quantiles(overheads(load), 0.5, 0.95, 0.99),
      quantiles(
        load.turns.map(({ seenOverheadMs }) => seenOverheadMs),
        0.5,
        0.95,
      ),
      quantiles(
        load.turns.map(({ wholeMs }) => wholeMs),
        0.5,
        0.95,
      ),
      ratioToOne(loads, load),
    ]),
  };
}

/**
 * Relative to a single call with the same delays: the cost of concurrency. Computed from the whole wait,
 * since the overhead may be almost zero.
 */
function ratioToOne(loads: readonly MeasuredLoad[], load: MeasuredLoad): string {
  const alone = loads.find(
    ({ live, delays }) => live === 1 && delays.firstTokenMs === load.delays.firstTokenMs,
  );
  if (alone === undefined || alone.turns.length === 0 || load.turns.length === 0) return '–';
  const middle = ({ turns }: MeasuredLoad) =>
    quantile(
      turns.map(({ wholeMs }) => wholeMs),
      0.5,
    );
  return `${figure(middle(load) / middle(alone))} ×`;
}

const stageNames: Record<Stage, string> = {
  speech_end_to_decision: "Caller's last sound → decision that the caller has finished (a configured wait)",
  decision_to_claim: 'Decision → the Workflow asks for the step (Temporal)',
  model: 'Model request → first token (requested before the decision)',
  first_token_to_voice: 'First token → voice request (first clause, the decision)',
  voice: 'Voice request → first sound (in parallel, the Workflow asks for the step)',
  first_sound_to_frame: 'First sound → first frame sent (not before the Workflow asks for the step)',
};

function stageTable(loads: readonly MeasuredLoad[]): Table {
  return {
    columns: [
      'Parts of a turn with realistic delays; p50 / p95, ms',
      ...loads.map(({ live }) => `${live} live`),
    ],
    rows: stages.map((stage) => [
      stageNames[stage],
      ...loads.map(({ turns }) =>
        quantiles(
          turns.map((turn) => turn.stages[stage]),
          0.5,
          0.95,
        ),
      ),
    ]),
  };
}

function punctualityTable(loads: readonly MeasuredLoad[]): Table {
  return {
    columns: [
      'First token + first sound after',
      'Live calls',
      'Answer to first sound p50 / p95, ms',
      'Tick delay p99 / max, ms',
      'Missed frames, of all',
      "Carrier's webhook acknowledged p50 / p99, ms",
      'Refused',
      'Calls with another end',
    ],
    rows: loads.map((load) => [
      delaysText(load.delays),
      String(load.live),
      quantiles(load.greetingsMs, 0.5, 0.95),
      `≤ ${figure(load.tickLateMs.p99)} / ≤ ${figure(load.tickLateMs.max)}`,
      `${figure(load.gaps)} of ${figure(Math.round(load.seconds * 50 * load.live))}`,
      quantiles(load.acknowledgements.ms, 0.5, 0.99),
      String(load.acknowledgements.refused),
      Object.entries(load.otherEnds)
        .map(([disposition, count]) => `${count} ${disposition}`)
        .join(', ') || 'none',
    ]),
  };
}

const partNames: Record<Part, string> = {
  media: 'Media host',
  worker: 'Worker',
  api: 'API',
  mysql: 'MySQL',
  temporal: 'Temporal',
  emulators: '*Emulators*',
  bench: '*Who measures*',
};

function coresTable(loads: readonly MeasuredLoad[]): Table {
  return {
    columns: [
      'Used cores, first token + first sound after',
      'Live calls',
      ...parts.map((part) => partNames[part]),
      'Busiest emulator',
      'Use of the machine',
      'Ours per call, cores',
    ],
    rows: loads.map(({ delays, live, use }) => [
      delaysText(delays),
      String(live),
      ...parts.map((part) => figure(use.parts[part].cores)),
      `${use.busiestEmulator.name} ${figure(use.busiestEmulator.cores)}`,
      `${Math.round(use.machine * 100)} %`,
      figure3(oursOf(use) / live),
    ]),
  };
}

/** Without the emulators and the benchmark. */
function oursOf({ parts: { media, worker, api, mysql, temporal } }: Use): number {
  return [media, worker, api, mysql, temporal].reduce((sum, { cores }) => sum + cores, 0);
}

/** More digits for small figures, which would otherwise look equal. */
function figure3(value: number): string {
  return value.toFixed(4);
}

function memoryTable(loads: readonly MeasuredLoad[]): Table {
  return {
    columns: [
      'Resident memory, MB; first token + first sound after',
      'Live calls',
      ...parts.filter((part) => part !== 'bench').map((part) => partNames[part]),
    ],
    rows: loads.map(({ delays, live, use }) => [
      delaysText(delays),
      String(live),
      ...parts.filter((part) => part !== 'bench').map((part) => figure(Math.round(use.parts[part].rssMb))),
    ]),
  };
}

function interruptionTable({ people, ms, missed }: Interruptions): Table {
  return {
    columns: [
      'Interruptions',
      'Live calls',
      "Person's first loud frame to `clear` at the carrier p50 / p95 / max, ms",
      'Without a `clear`',
    ],
    rows: [[String(ms.length + missed), String(people), quantiles(ms, 0.5, 0.95, 1), String(missed)]],
  };
}

function openingTable(openings: readonly Openings[]): Table {
  return {
    columns: [
      'The answer is reported after',
      'Calls',
      'Start of the stream to first sound p50 / p95 / max, ms',
      'Without a sound',
    ],
    rows: openings.map(({ lateMs, people, ms }) => [
      `${lateMs / 1000} s`,
      String(people),
      quantiles(ms, 0.5, 0.95, 1),
      String(people - ms.length),
    ]),
  };
}

function openingTarget({ lateMs, ms }: Openings): Target[] {
  const what = `Start of the stream to first sound, answer reported after ${lateMs / 1000} s`;
  return max(what, ms, 0.95, 500);
}

function max(what: string, values: readonly number[], share: number, limitMs: number): Target[] {
  if (values.length === 0) return [];
  return [
    {
      what: `${what}, p${Math.round(share * 100)}`,
      wanted: `≤ ${limitMs} ms`,
      measured: `${figure(quantile(values, share))} ms`,
      isMet: quantile(values, share) <= limitMs,
    },
  ];
}

function targetsOf(loads: readonly MeasuredLoad[], { ms }: Interruptions): Target[] {
  const ofTurns = loads
    .filter(({ live }) => live >= 50)
    .flatMap((load) => {
      const [p50, p95] = load.delays.firstTokenMs > 0 ? [10, 40] : [50, 120];
      const what = `Overhead of a turn, ${load.live} live calls, delays ${delaysText(load.delays)}`;
      return [...max(what, overheads(load), 0.5, p50), ...max(what, overheads(load), 0.95, p95)];
    });
  const ofCalls = loads
    .filter(({ live, delays }) => live >= 50 && delays.firstTokenMs > 0)
    .flatMap((load) => [
      ...max(`Answer to first sound, ${load.live} live calls`, load.greetingsMs, 0.95, 300),
      ...max(
        `Webhook of the carrier acknowledged, ${load.live} live calls`,
        load.acknowledgements.ms,
        0.99,
        200,
      ),
      {
        what: `Tick delay, ${load.live} live calls, p99`,
        wanted: '≤ 10 ms',
        measured: `≤ ${figure(load.tickLateMs.p99)} ms`,
        isMet: load.tickLateMs.p99 <= 10,
      },
    ]);
  return [...ofTurns, ...ofCalls, ...max("Person's first loud frame to `clear`", ms, 0.95, 220)];
}

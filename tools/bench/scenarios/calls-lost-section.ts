import { floors, parts, type Floor, type Part, type SplitSilence } from '../phone/loss-parts.ts';
import { figure, quantiles, type Section, type Table, type Target } from '../report.ts';
import { quantile } from '../statistics.ts';

/** A call that stays silent for this long counts as lost. */
export const giveUpMs = 15_000;

/** For one assumption about the carrier. */
export interface Losses {
  /** Whether the carrier sends an event for a broken stream. */
  carrierTells: boolean;
  kills: number;
  silencesMs: number[];
  /** The same silences, if all their parts are recorded. */
  split: SplitSilence[];
  /** Calls that were cut off, or stayed silent for `giveUpMs`. */
  lost: number;
  otherEnds: Record<string, number>;
}

export function lostSection(
  measured: readonly Losses[],
  { live, killsOfACall, seed }: { live: number; killsOfACall: number; seed: string },
): Section {
  return {
    id: 'calls-lost',
    title: 'A media host dies under its calls',
    method: [
      `The host of ${live} live calls is killed (\`kill -9\`) at a random time of their conversation (seed \`${seed}\`) while another one is ready; the same calls lose up to ${killsOfACall} hosts. *Silence* lasts from the kill to the agent's next sound at the callee, in the simulated carrier's log, whoever was speaking at the kill; audio that was sent before the kill does not count. *Less the callee's own words* excludes the time in which the callee spoke and did not wait for the agent. It is unknown whether the real carrier sends an event for a broken stream, so both cases are measured; without an event only a worker that asks the dead process notices the loss.`,
      "The parts follow each other. For each call they add up to the silence, but their quantiles do not. They come from the carrier's log and the calls' histories in Temporal.",
    ],
    tables: [overview(measured), partTable(measured), floorTable(measured)],
    targets: measured.flatMap(targetOf),
  };
}

const tellsText = ({ carrierTells }: Losses) => (carrierTells ? 'with a notice' : 'without a notice');
const netMs = ({ silenceMs, personMs }: SplitSilence) => silenceMs - personMs;

function overview(measured: readonly Losses[]): Table {
  return {
    columns: [
      'The carrier loses a stream',
      'Hosts killed',
      'Calls that went on',
      'Silence p50 / p95 / max, ms',
      "Less the callee's own words p50 / p95 / max, ms",
      `Silent for ${giveUpMs / 1000} s, or cut off`,
      'Calls with another end',
    ],
    rows: measured.map((each) => [
      tellsText(each),
      figure(each.kills),
      figure(each.silencesMs.length),
      quantiles(each.silencesMs, 0.5, 0.95, 1),
      quantiles(each.split.map(netMs), 0.5, 0.95, 1),
      figure(each.lost),
      Object.entries(each.otherEnds)
        .map(([disposition, calls]) => `${calls} ${disposition}`)
        .join(', ') || 'none',
    ]),
  };
}

const partTexts: Record<Part, string> = {
  signaled: 'until the call learns of the loss',
  given_up: 'until it requests a seat at another host',
  seated: 'until it has a seat',
  streaming: 'until the leg streams to that host',
  heard: 'until the agent is heard',
};

function partTable(measured: readonly Losses[]): Table {
  return {
    columns: [
      'Part of the silence, p50 / p95, ms',
      ...measured.map((each) => `${tellsText(each)} (${each.split.length} silences)`),
    ],
    rows: parts.map((part) => [
      partTexts[part],
      ...measured.map(({ split }) =>
        quantiles(
          split.map((each) => each.parts[part]),
          0.5,
          0.95,
        ),
      ),
    ]),
  };
}

const floorTexts: Record<Floor, string> = {
  agent: 'the agent spoke',
  person: 'the callee spoke',
  agent_next: 'no one, the agent was about to answer',
  person_next: 'no one, the callee was about to speak',
};

function floorTable(measured: readonly Losses[]): Table {
  const rows = measured.flatMap((each) =>
    floors.map((floor) => ({ each, floor, found: each.split.filter((silence) => silence.floor === floor) })),
  );
  return {
    columns: [
      'At the kill',
      'The carrier loses a stream',
      'Silences',
      'Silence p50 / p95 / max, ms',
      'The callee spoke meanwhile p50 / p95, ms',
      'Until the leg streams to the next host p50 / p95, ms',
      'Then until the agent is heard p50 / p95, ms',
    ],
    rows: rows
      .filter(({ found }) => found.length > 0)
      .map(({ each, floor, found }) => [
        floorTexts[floor],
        tellsText(each),
        figure(found.length),
        quantiles(
          found.map(({ silenceMs }) => silenceMs),
          0.5,
          0.95,
          1,
        ),
        quantiles(
          found.map(({ personMs }) => personMs),
          0.5,
          0.95,
        ),
        quantiles(
          found.map((silence) => silence.silenceMs - silence.parts.heard),
          0.5,
          0.95,
        ),
        quantiles(
          found.map((silence) => silence.parts.heard),
          0.5,
          0.95,
        ),
      ]),
  };
}

function targetOf(each: Losses): Target[] {
  if (each.silencesMs.length === 0) return [];
  const p95 = quantile(each.silencesMs, 0.95);
  return [
    {
      what: `Kill to speech, p95, ${tellsText(each)}`,
      wanted: '≤ 3,000 ms',
      measured: `${figure(p95)} ms`,
      isMet: p95 <= 3000 && each.lost === 0,
    },
  ];
}

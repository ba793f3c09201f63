import type { LoadResult } from '../load.ts';
import { figure, type Section, type Target } from '../report.ts';

/** One round. */
export interface Measured {
  load: LoadResult;
  /** Processor time of the API's process or processes per request. */
  cpuMsEach: number;
  statementsEach: number;
  /** 0 to 1. */
  machineUse: number;
  lagP95Ms: number;
  lagMaxMs: number;
}

export interface Compared {
  name: string;
  wantedShare: number | null;
  service: Measured;
  bare: Measured;
  /** Share of the requests a second: the median over the rounds, each relative to its neighbor. */
  share: number;
}

export interface Scaled {
  name: string;
  alone: Measured;
  together: Measured;
}

interface Findings {
  compared: readonly Compared[];
  scaled: readonly Scaled[];
  connections: number;
  rounds: number;
  seconds: number;
  definitionBytes: number;
}

const times = ({ load }: Measured) => `${figure(load.p50Ms)} / ${figure(load.p99Ms)}`;
const percent = (share: number) => `${Math.round(share * 100)} %`;

export function agentsSection({
  compared,
  scaled,
  connections,
  rounds,
  seconds,
  definitionBytes,
}: Findings): Section {
  return {
    id: 'agents',
    title: 'The agents API',
    method: [
      `${connections} connections send requests without pauses, each for its own agent with ten nodes (${figure(definitionBytes)} bytes); ${rounds} rounds of ${figure(seconds)} s of the service and of its baseline in turns. The figures are those of the median round; the share is the median of all rounds. A PUT is a whole new version with its audit entry, in one transaction that is on disk when the answer is sent. A trigger is measured up to the request to the carrier; the carrier is **simulated** and hangs up at once, with one statement.`,
      'The baseline is a bare Express + mysql2 handler with the same statements and nothing else: no schema, no lenient parsing of fields, no validation of the graph, no masking, no access log, metrics or request id, no rate limits. The load generator, the API and MySQL share the processor.',
    ],
    tables: [
      {
        columns: ['Request', 'A second', 'p50 / p99, ms', 'Baseline a second', 'p50 / p99, ms', 'Share'],
        rows: compared.map(({ name, service, bare, share }) => [
          name,
          figure(service.load.perSecond),
          times(service),
          figure(bare.load.perSecond),
          times(bare),
          percent(share),
        ]),
      },
      {
        columns: [
          'Request',
          'Processor time of the API, ms',
          'Baseline, ms',
          'MySQL statements',
          'Baseline',
          'Event loop delay p95 / max, ms',
          'Baseline, ms',
          'Use of the machine',
        ],
        rows: compared.map(({ name, service, bare }) => [
          name,
          figure(service.cpuMsEach),
          figure(bare.cpuMsEach),
          figure(service.statementsEach),
          figure(bare.statementsEach),
          `${figure(service.lagP95Ms)} / ${figure(service.lagMaxMs)}`,
          `${figure(bare.lagP95Ms)} / ${figure(bare.lagMaxMs)}`,
          percent(service.machineUse),
        ]),
      },
      {
        columns: [
          'Request',
          'One API process, a second',
          'Two, a second',
          'Ratio',
          'Use of the machine, one',
          'Two',
        ],
        rows: scaled.map(({ name, alone, together }) => [
          name,
          figure(alone.load.perSecond),
          figure(together.load.perSecond),
          `${figure(together.load.perSecond / alone.load.perSecond)} ×`,
          percent(alone.machineUse),
          percent(together.machineUse),
        ]),
      },
    ],
    targets: compared.flatMap(({ name, wantedShare, share }): Target[] =>
      wantedShare === null
        ? []
        : [
            {
              what: `${name}, share of the baseline`,
              wanted: `≥ ${percent(wantedShare)}`,
              measured: percent(share),
              isMet: share >= wantedShare,
            },
          ],
    ),
  };
}

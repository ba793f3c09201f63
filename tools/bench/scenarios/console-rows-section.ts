import type { ReadOn, Scrolled } from '../console/grid.ts';
import { askEveryMs } from '../console/lag.ts';
import { pace, type MemorySample, type Room, type RoomPlan } from '../console/room.ts';
import type { TabMemory } from '../console/tab.ts';
import type { CheckedInTab } from '../console/upload.ts';
import { figure, quantiles, type Section, type Table, type Target } from '../report.ts';
import { quantile, trendOf, type Trend } from '../statistics.ts';

const wanted = { tabMb: 200, values: 10, pageMs: 300, lagMs: 1000, leftOpenMb: 150, leftOpenHours: 8 };
/** The share of the samples that does not count: caches and compiled code grow at first. */
const warmUpShare = 0.2;

interface Measured {
  isQuick: boolean;
  rows: number;
  checked: CheckedInTab;
  directory: Scrolled;
  campaign: ReadOn;
  /** Pages of rows in the middle and at the end of the campaign. */
  farMs: readonly number[];
  room: Room;
  plan: RoomPlan;
}

const mb = (value: number): string => `${figure(value)} MB`;
const ms = (value: number): string => `${figure(value)} ms`;
const percent = (value: number | null): string => (value === null ? 'checked' : `${value} %`);

export function consoleRowsSection(measured: Measured): Section {
  const { isQuick, rows, checked, directory, campaign, room, plan } = measured;
  const minutes = plan.memoryMs / 60_000;
  return {
    id: 'console-rows',
    title: `Console with ${figure(rows)} rows`,
    method: [
      `A CSV file of ${figure(rows)} rows is chosen in the page, uploaded and checked. The tab is closed in the middle of the check; another one shows the same file. Memory of a tab, read five times a second: *heap*, what JavaScript uses, garbage included; *resident*, the whole process of the tab; *own*, the part of it that is not the browser's files, which its processes share.${isQuick ? ' **This is a quick run with few rows: its figures are rough, and the check may be over before the tab is closed.**' : ''}`,
      `*A page of rows* is a request of 100 rows as the page waits for it. The directory is scrolled to its first, last and middle rows and to ${directory.shownMs.length - 3} places in between, and read on from the middle; every row that is shown is compared with the file. *Shown* is from the jump to the drawn rows. The campaign over these rows is planned outside its hours and calls nobody; its table reads on from the first row. A page in its middle and at its end is requested without the browser.`,
      `The control room belongs to another campaign, which starts ${pace} calls to **simulated** callees a second. Every ${askEveryMs} ms the API is asked for a number that only grows: the rows that have ended, by \`/progress\` and counted in \`/rows\`, and the last row of a person in a call who answers, which the table shows. *Behind* is from sending the first request that answers a value until the page shows it. The API keeps the counts of \`/progress\` for a fifth of a second, so the page and the benchmark see them change together. Then the page stays open for ${minutes} min; garbage is collected before each reading of its memory, ${plan.memoryEveryMs / 1000} s apart. The growth is a straight line by least squares without the first fifth; ± is twice its standard error. Playwright has Chromium keep every answer to the page, up to 200 MB: these count as resident and own memory, not as heap.`,
    ],
    tables: [
      checkTable(checked),
      memoryTable(measured),
      pageTable(measured),
      lagTable(room),
      growthTable(room.samples),
    ],
    targets: [
      atMost('Heap of the tab during upload and check', checked.max.heap, wanted.tabMb, mb),
      atMost('Resident memory of the tab during upload and check', checked.max.resident, wanted.tabMb, mb),
      {
        what: 'Different values of the progress of the check',
        wanted: `≥ ${wanted.values}`,
        measured: figure(checked.checkValues),
        isMet: checked.checkValues >= wanted.values,
      },
      {
        what: 'Progress of the check in the tab that was closed, and in the one after it',
        wanted: 'goes on',
        measured: `${percent(checked.closedAt)}, then ${percent(checked.reopenedAt)}`,
        isMet: (checked.reopenedAt ?? 100) >= (checked.closedAt ?? 0),
      },
      atMost('A page of rows of the directory, p95', quantile(directory.pagesMs, 0.95), wanted.pageMs, ms),
      atMost('A page of rows of the campaign, p95', quantile(campaign.pagesMs, 0.95), wanted.pageMs, ms),
      ...lagsIn(room).map(([what, values]) =>
        atMost(`${what}, p95`, quantile(values, 0.95), wanted.lagMs, ms),
      ),
      atMost(
        `Heap of the control room after ${wanted.leftOpenHours} h at this growth`,
        afterHours(trendIn(room.samples, 'heap'), wanted.leftOpenHours),
        wanted.leftOpenMb,
        mb,
      ),
    ],
  };
}

function atMost(what: string, value: number, limit: number, text: (value: number) => string): Target {
  return { what, wanted: `≤ ${text(limit)}`, measured: text(value), isMet: value <= limit };
}

const checkTable = ({
  uploadSeconds,
  checkSeconds,
  uploadValues,
  checkValues,
  maxStillMs,
}: CheckedInTab): Table => ({
  columns: ['', 's', 'Values of progress seen', 'Longest without another value, ms'],
  rows: [
    ['Upload', figure(uploadSeconds), figure(uploadValues), '–'],
    ['Check, the closed tab included', figure(checkSeconds), figure(checkValues), figure(maxStillMs)],
  ],
});

const memoryTable = ({ checked, directory, campaign }: Measured): Table => ({
  columns: ['Tab', 'Heap, MB', 'Resident, MB', 'Own, MB'],
  rows: (
    [
      ['Upload and check, at most', checked.max],
      ['Scrolling through the directory, at most', directory.max],
      ['Afterwards without garbage', directory.kept],
      ['Reading on in the campaign, at most', campaign.max],
      ['Afterwards without garbage', campaign.kept],
    ] as const
  ).map(([what, memory]) => [what, ...memoryCells(memory)]),
});

const memoryCells = ({ heap, resident, own }: TabMemory): string[] => [heap, resident, own].map(figure);

const pageTable = ({ directory, campaign, farMs }: Measured): Table => ({
  columns: ['', 'Count', 'p50 / p95 / max, ms'],
  rows: (
    [
      ['Rows of the directory, shown', directory.shownMs],
      ['A page of rows of the directory', directory.pagesMs],
      ['A page of rows of the campaign', campaign.pagesMs],
      ['The same in its middle and at its end', farMs],
      ['Progress of the campaign', campaign.progressMs],
    ] as const
  ).map(([what, values]) => [what, figure(values.length), quantiles(values, 0.5, 0.95, 1)]),
});

const lagsIn = ({ lags: { behindProgress, behindRows, table } }: Room) =>
  [
    ['Figures of the control room behind `/progress`', behindProgress],
    ['Figures of the control room behind `/rows`', behindRows],
    ['Table of the control room behind `/rows`', table],
  ] as const;

const lagTable = (room: Room): Table => ({
  columns: ['', 'Changes', 'p50 / p95 / max, ms'],
  rows: lagsIn(room).map(([what, values]) => [what, figure(values.length), quantiles(values, 0.5, 0.95, 1)]),
});

function growthTable(samples: readonly MemorySample[]): Table {
  return {
    columns: ['Control room', 'First, MB', 'Last, MB', 'MB an hour'],
    rows: (['heap', 'resident', 'own'] as const).map((kind) => {
      const { slope, slopeError } = trendIn(samples, kind);
      return [
        kind,
        figure(samples[0]?.[kind] ?? Number.NaN),
        figure(samples.at(-1)?.[kind] ?? Number.NaN),
        `${figure(slope)} ± ${figure(2 * slopeError)}`,
      ];
    }),
  };
}

const trendIn = (samples: readonly MemorySample[], kind: keyof TabMemory): Trend =>
  trendOf(
    samples.slice(Math.floor(samples.length * warmUpShare)).map((each) => ({ x: each.hours, y: each[kind] })),
  );

const afterHours = ({ start, slope }: Trend, hours: number): number => start + slope * hours;

import { figure, type Target } from './report.ts';
import { trendOf, type Trend } from './statistics.ts';

/** Memory of one kind over many calls, in MB. */
export interface Growth {
  role: string;
  what: string;
  values: { calls: number; mb: number }[];
}

/** The first and the last sample, and the trend through all samples. */
export function growthCells({ role, what, values }: Growth): string[] {
  return [
    role,
    what,
    figure(values[0]?.mb ?? Number.NaN),
    figure(values.at(-1)?.mb ?? Number.NaN),
    trendText(perThousand(values)),
  ];
}

/**
 * The means of the samples in parts of `everyCalls` calls, which show whether memory still grows or only grew
 * at first.
 */
export function meanCells({ role, what, values }: Growth, everyCalls: number): string[] {
  const parts = Map.groupBy(values, ({ calls }) => Math.ceil(calls / everyCalls));
  return [
    role,
    what,
    ...[...parts.values()].map((part) => figure(part.reduce((sum, { mb }) => sum + mb, 0) / part.length)),
  ];
}

const wantedMb = 1;

export function growthTarget({ role, what, values }: Growth): Target {
  const found = perThousand(values);
  return {
    what: `Growth of the ${role} process, ${what} memory, per 1,000 calls`,
    wanted: `≤ ${wantedMb} MB`,
    measured: `${trendText(found)} MB`,
    isMet: found.slope <= wantedMb,
  };
}

/** MB per 1,000 calls. */
function perThousand(values: Growth['values']): Trend {
  return trendOf(values.map(({ calls, mb }) => ({ x: calls / 1000, y: mb })));
}

function trendText({ slope, slopeError }: Trend): string {
  return `${figure(slope)} ± ${figure(2 * slopeError)}`;
}

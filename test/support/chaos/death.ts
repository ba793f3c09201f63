import { writeSync } from 'node:fs';

/** After this time, a request to a server on this machine is usually in transit. */
const duringMs = 15;

/** Kills the process with SIGKILL at the first of its points that it reaches. */
export interface Death {
  at(point: string): void;
  /** Dies shortly after this call, while the started work continues. */
  soonAfter(point: string): void;
}

/**
 * CHAOS_POINTS, `<moment> <place>` each and separated by commas, are the points of this process. It prints
 * the point at which it dies. It lives at least CHAOS_REST_MS, so that its death interrupts work.
 */
export function death(): Death {
  const points = (process.env['CHAOS_POINTS'] ?? '').split(',');
  const restMs = Number(process.env['CHAOS_REST_MS'] ?? 0);
  const isDue = (point: string) => points.includes(point) && process.uptime() * 1000 >= restMs;
  const die = (point: string) => {
    writeSync(2, `${lastWords}${point}\n`);
    process.kill(process.pid, 'SIGKILL');
  };
  return {
    at: (point) => {
      if (isDue(point)) die(point);
    },
    soonAfter: (point) => {
      if (isDue(point)) setTimeout(die, duringMs, point);
    },
  };
}

const lastWords = 'dies ';

/** The point at which the process with this output died; null when it died otherwise. */
export function pointOfDeath(output: string): string | null {
  return (
    output
      .split('\n')
      .find((line) => line.startsWith(lastWords))
      ?.slice(lastWords.length) ?? null
  );
}

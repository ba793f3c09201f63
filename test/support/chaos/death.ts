import { writeSync } from 'node:fs';

/** Milliseconds into what is under way: about where a request to a server on this machine is on the wire. */
const duringMs = 15;

/** Where a process kills itself by SIGKILL: at the first of its points that it comes to. */
export interface Death {
  at(point: string): void;
  /** In a moment, while what was begun goes on. */
  soonAfter(point: string): void;
}

/**
 * CHAOS_POINTS, `<moment> <place>` each and separated by commas, are the points of this process. It says at
 * which it dies. It lives for CHAOS_REST_MS at least, so that something is under way that its death can hurt.
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

/** The point at which a process has died that printed this; null when it died otherwise. */
export function pointOfDeath(output: string): string | null {
  return (
    output
      .split('\n')
      .find((line) => line.startsWith(lastWords))
      ?.slice(lastWords.length) ?? null
  );
}

import { writeSync } from 'node:fs';

/** Milliseconds into what is under way: about where a request to a server on this machine is on the wire. */
const duringMs = 15;

/** Where a process kills itself. */
export interface Death {
  moment: string;
  place: string;
  /** Ends this process by SIGKILL. */
  readonly die: () => void;
  /** The same in a moment, while what was begun goes on. */
  readonly dieMeanwhile: () => void;
}

/**
 * What CHAOS_POINT, `<moment> <place>`, asks of this process. It says so before it dies: a death elsewhere is not taken for this
 * one. It lives for CHAOS_REST_MS at least, so that something is under way that its death can hurt.
 */
export function death(): Death {
  const point = process.env['CHAOS_POINT'] ?? '';
  const [moment = '', place = ''] = point.split(' ');
  const restMs = Number(process.env['CHAOS_REST_MS'] ?? 0);
  const die = () => {
    if (process.uptime() * 1000 < restMs) return;
    writeSync(2, `${lastWords(point)}\n`);
    process.kill(process.pid, 'SIGKILL');
    throw new Error('killed');
  };
  return { moment, place, die, dieMeanwhile: () => void setTimeout(die, duringMs) };
}

/** What a process prints when it dies at its point. */
export function lastWords(point: string): string {
  return `dies ${point}`;
}

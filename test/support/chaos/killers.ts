import type { OwnServer } from '../own-servers.ts';
import type { RunningProcess } from '../process.ts';
import type { Random } from '../seed.ts';
import { pause } from './caller.ts';
import { pointOfDeath } from './death.ts';

/** A chaos run: its random numbers, and whether it is over. */
export interface Run {
  random: Random;
  isOver: () => boolean;
}

export interface Kept {
  /** Points at which a process has killed itself. */
  died: ReadonlySet<string>;
  /** Points at which no process has died yet. */
  remaining: () => string[];
  /** Number of random kills from outside. */
  random: number;
  /** Resolves when the last process has stopped, after the run. */
  ended: Promise<void>;
}

interface Keeping {
  run: Run;
  points: readonly string[];
  randomKills: number;
  /** Number of concurrent processes. */
  width: number;
  /** A running process that dies first. */
  first?: { running: RunningProcess; mayDie: () => boolean };
  /**
   * Starts a process that dies at the first of these points that it reaches or, without points, one as in
   * production.
   */
  start: (points: string[]) => RunningProcess;
}

/**
 * Keeps `width` processes running, as a supervisor does. They kill themselves until one has died at each
 * point, then they are killed with SIGKILL at random times; the last ones stay alive. A process that ends for
 * another reason (for example without its database) is restarted.
 */
export function keepDying({ run, points, randomKills, width, first, start }: Keeping): Kept {
  const died = new Set<string>();
  const kept: Kept = {
    died,
    random: 0,
    remaining: () => points.filter((point) => !died.has(point)),
    ended: Promise.resolve(),
  };

  async function slot(): Promise<void> {
    while (!run.isOver()) {
      const running = start(kept.remaining());
      await (kept.remaining().length > 0 ? untilItDies(running) : untilKilled(running));
      if (running.child.exitCode !== null) await pause(200); // it ended by itself: as a supervisor would, not at once
    }
  }

  async function untilItDies(running: RunningProcess): Promise<void> {
    await untilEnded(() => run.isOver() || kept.remaining().length === 0, running);
    const point = pointOfDeath(running.output());
    if (point !== null) died.add(point);
  }

  async function untilKilled(running: RunningProcess): Promise<void> {
    if (kept.random >= randomKills) return await untilEnded(run.isOver, running);
    kept.random += 1;
    await Promise.race([running.ended, pause(1500 + run.random() * 2500)]);
    await kill(running);
  }

  async function begin(): Promise<void> {
    const mayBegin = () => first === undefined || first.mayDie() || run.isOver();
    while (!mayBegin()) await pause(50);
    if (first !== undefined) await kill(first.running);
    await Promise.all(Array.from({ length: width }, slot));
  }
  kept.ended = begin();
  return kept;
}

async function kill(running: RunningProcess): Promise<void> {
  running.child.kill('SIGKILL');
  await running.ended;
}

/** Resolves when the process has ended; stops it when the run is over. */
async function untilEnded(isOver: () => boolean, running: RunningProcess): Promise<void> {
  const hasEnded = { value: false };
  const end = running.ended.then(() => (hasEnded.value = true));
  while (!hasEnded.value && !isOver()) await Promise.race([end, pause(100)]);
  await running.stop();
}

/**
 * Kills each of the servers after these numbers of ended calls, and restarts it with its data; resolves when
 * all are back.
 */
export async function killServers(
  { isOver }: Run,
  at: readonly { calls: number; server: OwnServer; downMs: number }[],
  callsOver: () => number,
): Promise<number> {
  let killed = 0;
  for (const { calls, server, downMs } of at) {
    while (callsOver() < calls && !isOver()) await pause(50);
    if (isOver()) return killed;
    await server.kill();
    killed += 1;
    await pause(downMs);
    await server.start();
  }
  return killed;
}

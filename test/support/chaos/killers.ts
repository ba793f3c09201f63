import type { OwnServer } from '../own-servers.ts';
import type { RunningProcess } from '../process.ts';
import type { Random } from '../seed.ts';
import { pause } from './caller.ts';
import { lastWords } from './death.ts';

/** A chaos run: what it draws its numbers from, and whether it is over. */
export interface Run {
  random: Random;
  isOver: () => boolean;
}

export interface Kept {
  /** Points at which a process has killed itself. */
  died: string[];
  /** Kills from outside, at random moments. */
  random: number;
  /** Points that nothing has died at yet. */
  remaining: () => number;
  /** Resolves when the last process has been stopped, after `isOver`. */
  ended: Promise<void>;
}

interface Keeping {
  run: Run;
  /** Somebody dies at each of them once; begun in this order. */
  points: readonly string[];
  randomKills: number;
  /** Processes at once. */
  width: number;
  /** A process that runs already, and is let die first. */
  first?: { running: RunningProcess; mayDie: () => boolean };
  /** One that dies at that point, or, without one, as in production. */
  start: (point: string | undefined) => RunningProcess;
}

/**
 * Keeps `width` processes running, as a supervisor does, and has them die: each at the next point, then by SIGKILL at random
 * moments; those that come last live on. A process that ends by itself (its database is away) is started again, and its point
 * with it.
 */
export function keepDying({ run, points, randomKills, width, first, start }: Keeping): Kept {
  const waiting = [...points];
  const kept: Kept = { died: [], random: 0, remaining: () => points.length - kept.died.length, ended: Promise.resolve() };

  async function slot(): Promise<void> {
    while (!run.isOver()) {
      const point = waiting.shift();
      const running = start(point);
      if (point !== undefined) {
        await untilEnded(run, running);
        if (running.output().includes(lastWords(point))) kept.died.push(point);
        else waiting.unshift(point);
      } else if (kept.random < randomKills) {
        kept.random += 1;
        await Promise.race([running.ended, pause(1500 + run.random() * 2500)]);
        running.child.kill('SIGKILL');
        await running.ended;
      } else await untilEnded(run, running);
      if (running.child.exitCode !== null) await pause(200); // it ended by itself: as a supervisor would, not at once
    }
  }
  async function begin(): Promise<void> {
    if (first !== undefined) await letDie(first);
    await Promise.all(Array.from({ length: width }, slot));
  }
  async function letDie({ running, mayDie }: NonNullable<Keeping['first']>): Promise<void> {
    while (!mayDie() && !run.isOver()) await pause(50);
    running.child.kill('SIGKILL');
    await running.ended;
  }
  kept.ended = begin();
  return kept;
}

/** Resolves when the process has ended, and ends it when the run is over. */
async function untilEnded({ isOver }: Run, running: RunningProcess): Promise<void> {
  const hasEnded = { value: false };
  const end = running.ended.then(() => (hasEnded.value = true));
  while (!hasEnded.value && !isOver()) await Promise.race([end, pause(100)]);
  await running.stop();
}

/** Kills each of the servers whenever so many calls are over, and starts it again on its data; resolves when all came back. */
export async function killServers({ isOver }: Run, at: readonly { calls: number; server: OwnServer; downMs: number }[], callsOver: () => number): Promise<number> {
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

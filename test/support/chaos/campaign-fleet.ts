import type { RunningProcess } from '../process.ts';
import type { Random } from '../seed.ts';
import { freePort } from '../whole-service.ts';
import { firstPoints, pointsOf } from './campaign-points.ts';
import { pause } from './caller.ts';
import { pointOfDeath } from './death.ts';
import type { Role } from './phone-fleet.ts';

/** A process that died, or a server. */
export interface Death {
  who: Role | 'temporal' | 'mysql';
  at: number;
  /** The point, or `at random`. */
  why: string;
}

/** How a process of a role is started, with where it is to die. */
export type StartRole = (role: Role, env: Record<string, string>) => RunningProcess;

interface Member {
  role: Role;
  running: RunningProcess;
  bornAt: number;
  /** From its death until another one is started. */
  awayMs: number;
}

const mains: Record<Role, string> = {
  media: 'src/media/main.ts',
  worker: 'src/worker/main.ts',
  api: 'src/api/main.ts',
};
/** So long a process works before it dies at a point, at least and at most. */
const restMs = { min: 4000, max: 15_000 };
const readyAfterMs = 8000;
const usualAwayMs = 200;

/**
 * Processes of every role, each started again when it is dead, as a supervisor does. As long as nobody of a
 * role has died at one of its points, its processes die at the first that they come to; besides they are
 * killed at random.
 */
export class CampaignFleet {
  readonly deaths: Death[] = [];
  readonly #members = new Set<Member>();
  readonly #start: StartRole;
  readonly #random: Random;
  #isOver = false;

  constructor({ start, random }: { start: StartRole; random: Random }) {
    this.#start = start;
    this.#random = random;
  }

  async add(role: Role): Promise<RunningProcess> {
    const running = this.#start(role, await this.#envOf(role));
    const member = { role, running, bornAt: Date.now(), awayMs: usualAwayMs };
    this.#members.add(member);
    void this.#watch(member);
    return member.running;
  }

  /** Points of the roles at which nobody has died yet. */
  remaining(roles: readonly Role[] = ['worker', 'api', 'media']): string[] {
    return roles
      .flatMap((role) => pointsOf(role))
      .filter((point) => !this.deaths.some(({ why }) => why === point));
  }

  /** Kills one of the role; false when none of it has worked for a while. Another one is started after `awayMs`. */
  killOne(role: Role, { awayMs = usualAwayMs } = {}): boolean {
    const ready = [...this.#members].filter(
      (each) => each.role === role && Date.now() - each.bornAt > readyAfterMs,
    );
    const member = ready[Math.floor(this.#random() * ready.length)];
    if (member === undefined) return false;
    this.deaths.push({ who: role, at: Date.now(), why: 'at random' });
    member.awayMs = awayMs;
    member.running.child.kill('SIGKILL');
    return true;
  }

  end(): void {
    this.#isOver = true;
  }

  async #envOf(role: Role): Promise<Record<string, string>> {
    const remaining = this.remaining([role]);
    const first = role === 'media' ? undefined : remaining.find((point) => point === firstPoints[role]);
    const rest =
      first !== undefined ? 0 : Math.round(restMs.min + this.#random() * (restMs.max - restMs.min));
    const own = {
      CHAOS_MAIN: mains[role],
      CHAOS_POINTS: (first === undefined ? remaining : [first]).join(','),
      CHAOS_REST_MS: String(rest),
    };
    if (role !== 'media') return own;
    const port = await freePort();
    return {
      ...own,
      PARLANCE_MEDIA_PORT: String(port),
      PARLANCE_MEDIA_HEALTH_PORT: '0',
      PARLANCE_MEDIA_PUBLIC_URL: `ws://127.0.0.1:${port}`,
    };
  }

  async #watch(member: Member): Promise<void> {
    await member.running.ended;
    this.#members.delete(member);
    if (this.#isOver) return;
    const point = pointOfDeath(member.running.output());
    if (point !== null) this.deaths.push({ who: member.role, at: Date.now(), why: point });
    await pause(member.awayMs);
    if (!this.#isOver) await this.add(member.role);
  }
}

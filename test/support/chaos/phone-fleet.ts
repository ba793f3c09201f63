import type { PhoneService } from '../phone-service.ts';
import type { RunningProcess } from '../process.ts';
import { freePort } from '../whole-service.ts';
import { pause } from './caller.ts';

export const roles = ['media', 'worker', 'api'] as const;
export type Role = (typeof roles)[number];

export interface Member {
  role: Role;
  /** The port of the media sockets; 0 for other roles. */
  port: number;
  bornAt: number;
  running: RunningProcess;
}

export interface Killed {
  role: Role;
  port: number;
  at: number;
  why: string;
}

/** Starts a process of a role; `port` only matters to a media host. */
export type Starter = (role: Role, port: number) => RunningProcess;

/** The roles of src; `bundle` = the Workflows of a later release. */
export function startersOf(service: PhoneService, bundle?: string): Starter {
  return (role, port) => {
    if (role === 'worker')
      return service.startWorker(
        'src/worker/main.ts',
        bundle === undefined ? {} : { PARLANCE_WORKFLOW_BUNDLE: bundle },
      );
    if (role === 'api') return service.startRole('src/api/main.ts');
    return service.startRole('src/media/main.ts', {
      PARLANCE_MEDIA_PORT: String(port),
      PARLANCE_MEDIA_HEALTH_PORT: '0',
      PARLANCE_MEDIA_PUBLIC_URL: `ws://127.0.0.1:${port}`,
    });
  };
}

/** Printed by each role when it accepts work. */
const ready: Record<Role, string> = {
  media: 'The media host takes calls',
  worker: 'The workers are polling',
  api: 'listens',
};

/** Processes of all roles, each restarted when it was killed or has ended, as by a supervisor. */
export class Fleet {
  readonly members = new Set<Member>();
  readonly killed: Killed[] = [];
  readonly #start: Starter;
  #isOver = false;

  constructor(start: Starter) {
    this.#start = start;
  }

  async add(role: Role): Promise<Member> {
    const port = role === 'media' ? await freePort() : 0;
    const member: Member = { role, port, bornAt: Date.now(), running: this.#start(role, port) };
    this.members.add(member);
    void this.#restartIfItEnds(member);
    return member;
  }

  /** Restarts a process that ended itself, for example because its lease expired or it lost its database. */
  async #restartIfItEnds(member: Member): Promise<void> {
    await member.running.ended;
    if (this.#isOver || !this.members.delete(member)) return;
    await pause(100);
    await this.add(member.role);
  }

  adopt(role: Role, running: RunningProcess): void {
    this.members.add({ role, port: 0, bornAt: 0, running });
  }

  of(role: Role): Member[] {
    return [...this.members].filter((each) => each.role === role);
  }

  isReady({ role, running, bornAt }: Member): boolean {
    return bornAt === 0 || running.output().includes(ready[role]);
  }

  /** Kills with SIGKILL; another process replaces it. */
  async kill(member: Member, why: string): Promise<void> {
    this.members.delete(member);
    member.running.child.kill('SIGKILL');
    this.killed.push({ role: member.role, port: member.port, at: Date.now(), why });
    await member.running.ended;
    await pause(100);
    if (!this.#isOver) await this.add(member.role);
  }

  end(): void {
    this.#isOver = true;
  }
}

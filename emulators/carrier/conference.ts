import { randomUUID } from 'node:crypto';
import type { Leg } from './leg.ts';
import { Problem } from './problems.ts';
import { mixed } from './sounds.ts';

/** Legs that hear each other. */
export class Conference {
  readonly id = randomUUID();
  readonly name: string;
  readonly accountKey: string;
  /** Whether the conference ends when the leg leaves. */
  #members = new Map<Leg, boolean>();
  #isOver = false;

  constructor(name: string, accountKey: string) {
    this.name = name;
    this.accountKey = accountKey;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether two or more legs hear each other. */
  get isShared(): boolean {
    return this.#members.size > 1;
  }

  join(leg: Leg, endsConference: boolean): void {
    this.#members.set(leg, endsConference);
    leg.conference = this;
    leg.sendEvent('conference.participant.joined', { conference_id: this.id });
  }

  /** The leg has ended or left; legs that depend on it are hung up. */
  leave(leg: Leg): void {
    const endsConference = this.#members.get(leg) ?? false;
    this.#members.delete(leg);
    leg.conference = null;
    leg.sendEvent('conference.participant.left', { conference_id: this.id });
    if (endsConference) for (const other of this.#members.keys()) other.end('normal_clearing', 'unknown');
    if (this.#members.size > 0 || this.#isOver) return;
    this.#isOver = true;
    leg.sendEvent('conference.ended', {
      conference_id: this.id,
      reason: endsConference ? 'host_left' : 'all_left',
    });
  }

  /** What a member hears from the others in this frame. */
  heardBy(leg: Leg): Int16Array | null {
    return mixed([...this.#members.keys()].filter((each) => each !== leg).map((each) => each.saidNow));
  }
}

export class Conferences {
  #all = new Map<string, Conference>();

  create(leg: Leg, name: string): Conference {
    const taken = [...this.#all.values()].some(
      (each) => each.name === name && !each.isOver && each.accountKey === leg.accountKey,
    );
    if (taken) throw new Problem('10015', { detail: 'A conference of this name is live', pointer: '/name' });
    const conference = new Conference(name, leg.accountKey);
    this.#all.set(conference.id, conference);
    leg.sendEvent('conference.created', { conference_id: conference.id });
    return conference;
  }

  find(id: string, accountKey: string): Conference {
    const conference = this.#all.get(id);
    if (conference === undefined || conference.isOver || conference.accountKey !== accountKey)
      throw new Problem('10005');
    return conference;
  }
}

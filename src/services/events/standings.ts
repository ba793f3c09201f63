import type { DataSource } from 'typeorm';
import type { Clock } from '../../runtime/clock.ts';
import { holderOf, readStandings, type Standing } from '../identity/index.ts';
import type { Following } from './hub.ts';

/** How often it is read whether followers still have their rights. */
const everyMs = 1300;
/** What another part of this process knows of a caller may be this old. */
const knownForMs = 1000;
/** A reading that is older says nothing. */
const goodForMs = 3000;

type Follower = Pick<Following, 'actor' | 'push'>;

/** Whether those who follow something may still do what they could, in one statement for all of them. */
export class Standings {
  readonly #db: DataSource;
  readonly #clock: Clock;
  readonly #followers = new Set<Follower>();
  #readMs = 0;
  /** Of each key and session: where it stands, and since when. */
  #known = new Map<string, { standing: Standing | undefined; sinceMs: number }>();

  constructor(db: DataSource, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  add(follower: Follower): void {
    this.#followers.add(follower);
  }

  delete(follower: Follower): void {
    this.#followers.delete(follower);
  }

  /** Whether nothing has changed for the follower since it was asked at `askedMs`. */
  stands({ actor }: Follower, askedMs: number): boolean {
    const known = this.#known.get(holderOf(actor));
    if (known === undefined || this.#clock.now().getTime() - this.#readMs > goodForMs) return false;
    return known.standing !== undefined && askedMs - known.sinceMs > knownForMs;
  }

  /** Wakes the followers whose rights may have changed. */
  async read(): Promise<void> {
    const now = this.#clock.now();
    const nowMs = now.getTime();
    if (this.#followers.size === 0 || nowMs - this.#readMs < everyMs) return;
    const actors = new Map([...this.#followers].map(({ actor }) => [holderOf(actor), actor]));
    const standings = await readStandings(this.#db, { actors: [...actors.values()], now });
    const before = this.#known;
    this.#known = new Map(
      [...actors.keys()].map((holder) => {
        const [known, standing] = [before.get(holder), standings.get(holder)];
        return [
          holder,
          { standing, sinceMs: known?.standing === standing ? (known?.sinceMs ?? nowMs) : nowMs },
        ];
      }),
    );
    this.#readMs = nowMs;
    for (const { actor, push } of this.#followers) {
      const sinceMs = this.#known.get(holderOf(actor))?.sinceMs ?? nowMs;
      if (nowMs - sinceMs <= knownForMs + everyMs) push('rights');
    }
  }
}

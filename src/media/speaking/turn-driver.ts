import { advance, begin, nextDeadlineMs } from '../../domain/turn-taking/machine.ts';
import type { TurnCommand, TurnEvent, TurnSettings } from '../../domain/turn-taking/types.ts';
import { guarded } from '../../runtime/guarded.ts';

/**
 * Runs the state machine of a call: takes events, carries out commands in order, and keeps one timer for the
 * next deadline.
 */
export interface TurnDriver {
  tell(event: TurnEvent): void;
  close(): void;
}

export interface TurnDriverOptions {
  settings: TurnSettings;
  /** Milliseconds of the clock at which media flow began. */
  beganAtMs: number;
  nowMs: () => number;
  carryOut: (command: TurnCommand) => void;
  /** Gets what a command throws; the call goes on with the next event. */
  onFault: (error: unknown) => void;
}

export function createTurnDriver({
  settings,
  beganAtMs,
  nowMs,
  carryOut,
  onFault,
}: TurnDriverOptions): TurnDriver {
  let state = begin(settings, beganAtMs);
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  /** Commands may cause events; those wait until the earlier commands are carried out. */
  const queue: { atMs: number; event: TurnEvent }[] = [];
  let isBusy = false;

  const take = guarded(run, onFault);

  function run(atMs: number, event: TurnEvent): void {
    queue.push({ atMs, event });
    if (isBusy) return;
    isBusy = true;
    try {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        if (isClosed) return;
        const taken = advance(settings, state, next.atMs, next.event);
        state = taken.state;
        taken.commands.forEach(carryOut);
      }
    } finally {
      isBusy = false;
    }
    wait();
  }

  function wait(): void {
    clearTimeout(timer);
    const deadlineMs = isClosed ? null : nextDeadlineMs(state);
    // Rounded up, because a timer that fires early finds nothing due.
    if (deadlineMs !== null)
      timer = setTimeout(
        guarded(() => run(nowMs(), { kind: 'time' }), onFault),
        Math.max(0, Math.ceil(deadlineMs - nowMs())),
      );
  }

  take(beganAtMs, { kind: 'began' });
  return {
    tell(event) {
      if (!isClosed) take(nowMs(), event);
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

import { advance, begin, nextDeadlineMs } from '../../domain/turn-taking/machine.ts';
import type { TurnCommand, TurnEvent, TurnSettings } from '../../domain/turn-taking/types.ts';
import { guarded } from '../../runtime/guarded.ts';
import { frameMs } from '../playout/frame-clock.ts';

/**
 * Runs the state machine of a call: takes events, carries out commands in order, and keeps one timer for the
 * next deadline. If a busy host reaches a deadline late, what came meanwhile counts as in time.
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
  let overdue: NodeJS.Immediate | undefined;
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
    clearImmediate(overdue);
    const deadlineMs = isClosed ? null : nextDeadlineMs(state);
    // Rounded up, because a timer that fires early finds nothing due.
    if (deadlineMs !== null)
      timer = setTimeout(
        guarded(() => reach(deadlineMs), onFault),
        Math.max(0, Math.ceil(deadlineMs - nowMs())),
      );
  }

  const passTime = guarded(() => run(nowMs(), { kind: 'time' }), onFault);

  function reach(deadlineMs: number): void {
    // Sockets are read before an immediate runs.
    // guarantee: late-deadline-lets-words-go-first
    if (nowMs() - deadlineMs >= frameMs) overdue = setImmediate(passTime);
    else passTime();
  }

  /** Events read after a deadline that has not been reached yet count as in time. */
  const timeOfEvent = () => Math.min(nowMs(), nextDeadlineMs(state) ?? Infinity);

  take(beganAtMs, { kind: 'began' });
  return {
    tell(event) {
      if (!isClosed) take(timeOfEvent(), event);
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      clearImmediate(overdue);
    },
  };
}

/** What a person reads while the bootstrap works: one line a step, a line that moves for long ones. */

/** A failure that a person can cure: the message says what is wrong, `cure` what to install or set. */
export class StepError extends Error {
  constructor(message, cure) {
    super(message);
    this.name = 'StepError';
    this.cure = cure;
  }
}

export function say(line = '') {
  process.stdout.write(`${line}\n`);
}

/** "0:07", "3:40". */
export function minutes(ms) {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/**
 * Runs `work` under a title. `about` says how long it may take; work that takes longer than a few seconds
 * gets a progress line: every second on a terminal, every half minute elsewhere.
 */
export async function step({ title, about }, work) {
  say(`- ${title}${about === undefined ? '' : ` (about ${about})`}`);
  const started = Date.now();
  const moving = process.stdout.isTTY ?? false;
  const timer = setInterval(
    () => {
      const line = `    still working: ${minutes(Date.now() - started)}${about === undefined ? '' : ` of about ${about}`}`;
      process.stdout.write(moving ? `\r${line} ` : `${line}\n`);
    },
    moving ? 1000 : 30_000,
  );
  try {
    return await work();
  } finally {
    clearInterval(timer);
    const took = Date.now() - started;
    if (moving && took > 1000) process.stdout.write('\r\u001b[K');
    if (took > 3000) say(`    took ${minutes(took)}`);
  }
}

/** Prints a failure as a person needs it, and answers the exit code. */
export function tellFailure(error) {
  process.stderr.write(`\nFailed: ${error instanceof StepError ? error.message : (error?.stack ?? error)}\n`);
  if (error instanceof StepError && error.cure !== undefined)
    process.stderr.write(`What helps: ${error.cure}\nThe next run continues here.\n`);
  return 1;
}

/** Progress and failures of the bootstrap for people. Steps may run in parallel. */

/**
 * A failure that a person can fix: `message` says what is wrong, `cure` what to do (an imperative without a
 * period), `detail` is the output of the failed program.
 */
export class StepError extends Error {
  constructor(message, cure, detail) {
    super(message);
    this.name = 'StepError';
    this.cure = cure;
    this.detail = detail;
  }
}

const diskFull = /ENOSPC|no space left on device|disk full|not enough free space|errno: 28\b/i;

/** Whether the output of a program says that the disk is full. */
export const isDiskFull = (output) => diskFull.test(output);

/** The failure of a program with its output. A full disk is reported as such. */
export function failureOf(message, cure, output) {
  return isDiskFull(output)
    ? new StepError(
        `The disk is full (${message})`,
        'free some space and run the command again',
        lastLines(output),
      )
    : new StepError(message, cure, lastLines(output));
}

const lastLines = (text) => text.trimEnd().split('\n').slice(-15).join('\n');

/** One sentence: what is wrong and what to do. Null for an unexpected error. */
export function sentenceOf(error) {
  if (error instanceof StepError)
    return error.cure === undefined ? error.message : `${error.message}: ${error.cure}.`;
  if (error?.code === 'ENOSPC')
    return `The disk is full (${error.path ?? error.message}): free some space and run the command again.`;
  return null;
}

/** Prints a failure and answers the exit code. */
export function printFailure(error) {
  const sentence = sentenceOf(error);
  if (error?.detail) process.stderr.write(`\n${error.detail}\n`);
  process.stderr.write(`\nFailed: ${sentence ?? error?.stack ?? error}\n`);
  return 1;
}

let output = process.stdout;
const isTerminal = () => output.isTTY ?? false;
const steps = new Set();
let timer;
let isStatusShown = false;

/** Prints to standard error from now on, because standard output belongs to the started script. */
export function printToStandardError() {
  output = process.stderr;
}

export function say(line = '') {
  clearStatus();
  output.write(`${line}\n`);
}

/** "0:07", "3:40". */
export function minutes(ms) {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/**
 * Runs `work` under a title. `about` is its usual duration, `progress` answers its progress (a text, or
 * null). On a terminal one line shows all running steps every second; elsewhere each running step prints a
 * line every half minute.
 */
export async function step({ title, about, progress = () => null }, work) {
  say(`- ${title}${about === undefined ? '' : ` (about ${about})`}`);
  const each = { title, about, progress, started: Date.now() };
  steps.add(each);
  timer ??= setInterval(showStatus, isTerminal() ? 1000 : 30_000);
  try {
    return await work();
  } finally {
    steps.delete(each);
    if (steps.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    const took = Date.now() - each.started;
    if (took > 3000) say(`    ${title}: took ${minutes(took)}`);
  }
}

/** The status line of a step. */
export function statusOf({ title, about, progress, started }, now = Date.now()) {
  const time = `${minutes(now - started)}${about === undefined ? '' : ` of about ${about}`}`;
  return [`${title}: ${time}`, progress()].filter((each) => each !== null).join(', ');
}

function showStatus() {
  const lines = [...steps].map((each) => statusOf(each));
  if (!isTerminal()) {
    for (const line of lines) say(`    ${line}`);
    return;
  }
  clearStatus();
  output.write(lines.join(' | ').slice(0, (output.columns ?? 80) - 1));
  isStatusShown = true;
}

function clearStatus() {
  if (isStatusShown) output.write('\r\u001b[K');
  isStatusShown = false;
}

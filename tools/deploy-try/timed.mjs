import { minutes, say } from '../bootstrap/report.mjs';

/** Runs one step and prints its time, its title and the result of `work` in one line. */
export async function timed(title, work) {
  const started = Date.now();
  const result = await work();
  say(`${minutes(Date.now() - started).padStart(6)}  ${title}${result ? `: ${result}` : ''}`);
}

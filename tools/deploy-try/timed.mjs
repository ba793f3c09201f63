import { minutes, say } from '../bootstrap/report.mjs';

/** Runs one step and prints one line for it: its time, its title, and what `work` says about it. */
export async function timed(title, work) {
  const started = Date.now();
  const told = await work();
  say(`${minutes(Date.now() - started).padStart(6)}  ${title}${told ? `: ${told}` : ''}`);
}

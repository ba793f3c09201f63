import { sleep } from '@temporalio/workflow';

/** Workflows for tests of the sandbox. */

export async function wait(): Promise<void> {
  await sleep('1 hour');
}

/** Computes without an end. */
export async function hang(): Promise<never> {
  await sleep(1);
  for (let turns = 0; ; turns += 1) if (turns < 0) throw new Error('a counter only grows');
}

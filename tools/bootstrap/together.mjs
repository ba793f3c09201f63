import { endRunning } from './command.mjs';

/**
 * The results of jobs that run in parallel. When one fails, the programs that the others wait for are ended,
 * and the first failure is thrown once all have settled, so that no job can start a server afterwards.
 */
export async function together(works) {
  const failures = [];
  const results = await Promise.all(
    works.map((work) =>
      work.catch((error) => {
        if (failures.length === 0) endRunning();
        failures.push(error);
      }),
    ),
  );
  if (failures.length > 0) throw failures[0];
  return results;
}

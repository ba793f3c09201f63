import { bundleOf } from './bundle-roles.mjs';
import { StepError, say, step } from './report.mjs';
import { pause } from './servers.mjs';
import { isSimulated, simulatedVendors } from './start-environment.mjs';
import { keepRole } from './supervisor.mjs';

/**
 * The roles in the order of starting. They stop in reverse, so that the model outlives the worker that uses
 * it, and no one is cut off in the middle of a word.
 */
export function rolesOf(env, roleEnv) {
  const base = `http://127.0.0.1`;
  return [
    ...(isAnySimulated(env)
      ? [{ name: 'simulated', file: bundleOf('emulators/main.ts'), readyUrl: null }]
      : []),
    {
      name: 'worker',
      file: bundleOf('src/worker/main.ts'),
      readyUrl: `${base}:${roleEnv.PARLANCE_WORKER_HEALTH_PORT}/readyz`,
    },
    {
      name: 'media',
      file: bundleOf('src/media/main.ts'),
      readyUrl: `${base}:${roleEnv.PARLANCE_MEDIA_HEALTH_PORT}/readyz`,
    },
    {
      name: 'api',
      file: bundleOf('src/api/main.ts'),
      readyUrl: `${base}:${roleEnv.PARLANCE_HTTP_PORT}/readyz`,
    },
  ];
}

const isAnySimulated = (env) => isSimulated(env) || Object.values(simulatedVendors(env)).includes(true);

/** Starts the roles, each as a supervised process, and waits until those with a health server are ready. */
export async function startRoles({ roles, env, onStarted, signal }) {
  await step({ title: `Starting ${roles.map(({ name }) => name).join(', ')}`, about: '0:10' }, async () => {
    for (const { name, file, readyUrl } of roles) {
      const kept = keepRole({ name, file, env, note: (line) => say(`! ${line}`) });
      onStarted(kept);
      Object.assign(kept, { readyUrl });
    }
    await Promise.all(
      roles.filter(({ readyUrl }) => readyUrl !== null).map((role) => untilReady(role, signal)),
    );
  });
}

async function untilReady({ name, readyUrl }, signal) {
  let last = 'no answer';
  for (const deadline = Date.now() + 60_000; Date.now() < deadline && !signal.aborted;) {
    last = await readiness(readyUrl);
    if (last === null) return;
    await pause(100);
  }
  if (!signal.aborted)
    throw new StepError(`${name} is not ready after 60 s: ${last}`, `read .parlance/logs/${name}.log`);
}

/** Null when ready, else the failed checks. */
async function readiness(url) {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(3000) });
    return answer.ok ? null : await answer.text();
  } catch (error) {
    return error.cause?.message ?? error.message;
  }
}

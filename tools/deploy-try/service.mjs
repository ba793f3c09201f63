import { join } from 'node:path';
import { run, tail } from '../bootstrap/command.mjs';
import { StepError } from '../bootstrap/report.mjs';
import { pause, startServer } from '../bootstrap/servers.mjs';
import { hostEnvironment } from './container.mjs';

/**
 * The environment of a service of our own image: the image's files, its Node environment, the compose file's
 * variables.
 */
function surroundings({ service, images }) {
  const { home } = images[service.build.target];
  return { cwd: home, env: { ...hostEnvironment(), NODE_ENV: 'production', ...service.environment } };
}

/** The arguments of `node …`, its file in the folder of the image. */
export function argumentsIn(home, [, ...args]) {
  const file = args.findIndex((each) => !each.startsWith('-'));
  return args.with(file, join(home, args[file]));
}

/** Runs a command of our image to its end and answers its output. */
export async function runInImage({ name, command, service, images }) {
  const { cwd, env } = surroundings({ service, images });
  const { code, output } = await run(process.execPath, argumentsIn(cwd, command), {
    cwd,
    env,
    timeoutMs: 120_000,
  });
  if (code !== 0)
    throw new StepError(
      `${name} (${command.join(' ')}) failed (code ${code}):\n${tail(output, 25)}`,
      'fix the cause above',
    );
  return output;
}

/** Runs a task twice; the second run must report no changes. */
export async function runTask({ name, service, images }) {
  const once = async () => changesSaid(await runInImage({ name, command: service.command, service, images }));
  const [first, second] = [await once(), await once()];
  if (second === null || second.length > 0)
    throw new StepError(
      `${name} made changes in its second run: ${JSON.stringify(second)}`,
      `what ${service.command[1]} does`,
    );
  return `changes: ${first.length}, none in the second run`;
}

/** The changes that a task's log reports: the list `changes` or `migrations` of one of its lines, or null. */
export function changesSaid(output) {
  return (
    jsonLines(output)
      .map(({ changes, migrations }) => changes ?? migrations)
      .find((each) => Array.isArray(each)) ?? null
  );
}

export function jsonLines(output) {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
}

/**
 * Starts a long-running service with its own command or its image's, and waits until its health check passes.
 */
export async function startRole({ name, service, images, home, logFile, onStarted }) {
  const { cwd, env } = surroundings({ service, images });
  const command = service.command ?? images[service.build.target].command;
  const running = startServer({
    name,
    program: process.execPath,
    args: argumentsIn(cwd, command),
    env,
    runFolder: join(home, 'run'),
    logFile,
    graceMs: 0,
  });
  onStarted(running);
  const [, , ...check] = service.healthcheck.test; // CMD node …
  for (const deadline = Date.now() + 60_000; ; await pause(250)) {
    const { code, output } = await run(process.execPath, check, { env, timeoutMs: 5000 });
    if (code === 0) return 'its health check passes';
    if (!running.alive() || Date.now() > deadline)
      throw new StepError(
        `${name} is not healthy ${tail(output, 3)}. Its log ends:\n${running.logTail()}`,
        'fix the cause in the log above',
      );
  }
}

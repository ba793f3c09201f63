import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { run, tail } from '../bootstrap/command.mjs';
import { isAlive } from '../bootstrap/processes.mjs';
import { root } from '../bootstrap/project.mjs';
import { StepError } from '../bootstrap/report.mjs';

/**
 * The content of the images, in a folder outside the project (inside it, Node would find the developer's
 * node_modules): the files that Dockerfile copies, and the dependencies, installed with its own command.
 * Answers `{ home, command }` for each stage.
 */
const prefix = 'parlance-image-';

export async function stageImages() {
  const home = join(tmpdir(), `${prefix}${process.pid}`);
  const stages = readStages(readFileSync(join(root, 'Dockerfile'), 'utf8'));
  const service = join(home, 'service');
  await stage(service, stages.service);
  const simulated = join(home, 'simulated');
  await stage(simulated, { copies: [...stages.service.copies, ...stages.simulated.copies], installs: [] });
  symlinkSync(join(service, 'node_modules'), join(simulated, 'node_modules'));
  return {
    service: { home: service, command: stages.service.command },
    simulated: { home: simulated, command: stages.simulated.command },
  };
}

/** A Dockerfile by stage: `{ copies: [[from, …, to]], installs: [[argument of npm, …]], command }`. */
export function readStages(dockerfile) {
  const stages = {};
  let current;
  for (const line of dockerfile.split('\n')) {
    const [word, ...rest] = line.trim().split(/\s+/);
    if (word === 'FROM') current = stages[rest.at(-1)] = { copies: [], installs: [], command: null };
    if (word === 'CMD') current.command = JSON.parse(rest.join(' '));
    if (word === 'COPY') current.copies.push(rest);
    // Only the installation: cleaning npm's cache would clean the developer's cache here.
    if (word === 'RUN' && rest[0] === 'npm')
      current.installs.push(rest.slice(1, rest.indexOf('&&') === -1 ? undefined : rest.indexOf('&&')));
  }
  return stages;
}

async function stage(home, { copies, installs }) {
  for (const copy of copies) {
    const to = copy.at(-1);
    for (const from of copy.slice(0, -1)) {
      const target = to.endsWith('/') ? join(home, to, from) : join(home, to);
      mkdirSync(dirname(target), { recursive: true });
      cpSync(join(root, from), target, { recursive: true });
    }
  }
  for (const args of installs) {
    const { code, output } = await run('npm', args, {
      cwd: home,
      env: { ...process.env, NODE_ENV: 'production' },
    });
    if (code !== 0)
      throw new StepError(
        `npm ${args.join(' ')} failed:\n${tail(output)}`,
        'check the connection to the npm registry that npm is configured for',
      );
  }
}

/** Removes the images of this run and of killed runs. */
export function removeImages() {
  for (const each of readdirSync(tmpdir()).filter((name) => name.startsWith(prefix))) {
    const pid = Number(each.slice(prefix.length));
    if ((pid === process.pid || !isAlive(pid)) && existsSync(join(tmpdir(), each)))
      rmSync(join(tmpdir(), each), { recursive: true, force: true });
  }
}

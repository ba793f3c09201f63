import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { run, tail } from '../bootstrap/command.mjs';
import { isAlive } from '../bootstrap/processes.mjs';
import { root } from '../bootstrap/project.mjs';
import { StepError } from '../bootstrap/report.mjs';

/**
 * The content of the images, in a folder outside the project (inside it, Node would find the developer's
 * node_modules): the files that Dockerfile copies, the dependencies, installed with its own command, and the console,
 * built with its own command. Answers `{ home, command }` for each stage.
 */
const prefix = 'parlance-image-';

export async function stageImages() {
  const home = join(tmpdir(), `${prefix}${process.pid}`);
  const stages = readStages(readFileSync(join(root, 'Dockerfile'), 'utf8'));
  const consoleStage = { home: join(home, 'console'), workdir: stages.console.workdir };
  await stage(consoleStage.home, stages.console);
  const others = { console: consoleStage };
  const service = join(home, 'service');
  await stage(service, stages.service, others);
  const simulated = join(home, 'simulated');
  const copies = [...stages.service.copies, ...stages.simulated.copies];
  await stage(simulated, { copies, runs: [] }, others);
  symlinkSync(join(service, 'node_modules'), join(simulated, 'node_modules'));
  return {
    service: { home: service, command: stages.service.command },
    simulated: { home: simulated, command: stages.simulated.command },
  };
}

/**
 * A Dockerfile by stage: `{ workdir, copies: [{ stage, from: [path, …], to }], runs: [[program, argument, …]], command }`.
 * `stage` is the stage that the files come from, undefined for the project.
 */
export function readStages(dockerfile) {
  const stages = {};
  let current;
  for (const line of dockerfile.split('\n')) {
    const [word, ...rest] = line.trim().split(/\s+/);
    if (word === 'FROM')
      current = stages[rest.at(-1)] = { workdir: '/', copies: [], runs: [], command: null };
    if (word === 'WORKDIR') current.workdir = rest[0];
    if (word === 'CMD') current.command = JSON.parse(rest.join(' '));
    if (word === 'COPY') current.copies.push(copyOf(rest));
    // Only what fills the image's folder: cleaning npm's cache would clean the developer's cache here, and the roles
    // bundle their Workflows themselves.
    if (word === 'RUN' && ['npm', 'node'].includes(rest[0]) && !rest.includes('>'))
      current.runs.push(rest.slice(0, rest.indexOf('&&') === -1 ? undefined : rest.indexOf('&&')));
  }
  return stages;
}

function copyOf(words) {
  const stage = words.find((each) => each.startsWith('--from='))?.slice('--from='.length);
  const paths = words.filter((each) => !each.startsWith('--'));
  return { stage, from: paths.slice(0, -1), to: paths.at(-1) };
}

/** The steps are those of one stage: first its copies, then its commands. */
async function stage(home, { copies, runs }, others = {}) {
  for (const { stage: other, from: paths, to } of copies)
    for (const from of paths) {
      const source =
        other === undefined
          ? join(root, from)
          : join(others[other].home, relative(others[other].workdir, from));
      const target = to.endsWith('/') ? join(home, to, basename(from)) : join(home, to);
      mkdirSync(dirname(target), { recursive: true });
      cpSync(source, target, { recursive: true });
    }
  for (const [program, ...args] of runs) {
    const { code, output } = await run(program === 'node' ? process.execPath : program, args, {
      cwd: home,
      env: { ...process.env, ...(args.includes('--omit=dev') ? { NODE_ENV: 'production' } : {}) },
    });
    if (code !== 0)
      throw new StepError(
        `${program} ${args.join(' ')} failed:\n${tail(output)}`,
        program === 'npm'
          ? 'check the connection to the npm registry that npm is configured for'
          : 'mend what the output names',
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

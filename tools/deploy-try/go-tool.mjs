import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run, tail, which } from '../bootstrap/command.mjs';
import { folder, root, statePath } from '../bootstrap/project.mjs';
import { StepError, say } from '../bootstrap/report.mjs';

/**
 * The program of a Go package in the version that `tools/<module>` pins, built once for each state of the
 * module. Answers `{ program, isNew }`.
 */
export async function goTool({ module, pkg, name }) {
  const sources = join(root, 'tools', module);
  const stamp = createHash('sha256');
  for (const file of ['go.mod', 'go.sum', 'main.go'].map((each) => join(sources, each)).filter(existsSync))
    stamp.update(readFileSync(file));
  const home = statePath('tools', module, stamp.digest('hex').slice(0, 12));
  const program = join(home, name);
  if (existsSync(program)) return { program, isNew: false };
  if (!existsSync(home)) rmSync(statePath('tools', module), { recursive: true, force: true }); // builds of older states
  say(`        Building ${pkg} with Go: this may take some minutes`);
  const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly', GOWORK: 'off' };
  const { code, output } = await run(
    goProgram(),
    ['build', '-trimpath', '-ldflags=-s -w', '-o', join(folder(home), `${name}.part`), pkg],
    { cwd: sources, env },
  );
  if (code !== 0)
    throw new StepError(
      `go build of ${pkg} failed:\n${tail(output)}`,
      'fix the cause above; the build needs Go 1.26.4 or newer and a connection to the Go module proxy',
    );
  renameSync(`${program}.part`, program);
  return { program, isNew: true };
}

/** The folder with a dependency's files. */
export async function goModuleFolder({ module, dependency }) {
  const { code, output } = await run(goProgram(), ['list', '-m', '-f', '{{.Dir}}', dependency], {
    cwd: join(root, 'tools', module),
  });
  if (code !== 0)
    throw new StepError(`go list of ${dependency} failed:\n${tail(output)}`, 'fix the cause above');
  return output.trim();
}

function goProgram() {
  const go = which('go');
  if (go === null)
    throw new StepError('There is no Go to build the Temporal server', 'install Go 1.26.4 or newer');
  return go;
}

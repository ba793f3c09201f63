import { renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run, tail, which } from './command.mjs';
import { folder, root } from './project.mjs';
import { StepError, step } from './report.mjs';

const module = join(root, 'tools', 'temporal-server');

/** Builds the Temporal CLI (server and UI inside) that tools/temporal-server/go.mod pins. */
export async function buildTemporal(target) {
  const go = which('go');
  if (go === null)
    throw new StepError(
      'There is no Temporal server: none on the PATH, none to download, and no Go to build one',
      'install the Temporal CLI or Go 1.26 or newer, or set TEMPORAL_ADDRESS to a running server',
    );
  await step({ title: 'Building the Temporal server with Go (once)', about: '4:00' }, async () => {
    const part = `${target}.part`;
    folder(dirname(target));
    const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly', GOWORK: 'off' };
    const args = [
      'build',
      '-trimpath',
      '-ldflags=-s -w -X github.com/temporalio/cli/internal/temporalcli.Version=1.8.2',
      '-o',
      part,
      'github.com/temporalio/cli/cmd/temporal',
    ];
    const { code, output } = await run(go, args, { cwd: module, env });
    if (code !== 0) throw new StepError(`The build failed:\n${tail(output)}`, cureOf(output));
    renameSync(part, target);
  });
}

function cureOf(output) {
  if (/requires go >= |toolchain not available|GOTOOLCHAIN/.test(output))
    return 'install Go 1.26.4 or newer (this Go is older and could not fetch a newer one)';
  return 'a connection to the Go module proxy, or the Temporal CLI on the PATH, or TEMPORAL_ADDRESS';
}

import { join } from 'node:path';
import { run, which } from './command.mjs';
import { root } from './project.mjs';
import { StepError, failureOf, step } from './report.mjs';

const module = join(root, 'tools', 'temporal-server');
const main = 'github.com/temporalio/cli/cmd/temporal';

/** The version that tools/temporal-server/go.mod pins. */
export const temporalVersion = '1.8.2';

/**
 * Builds the Temporal CLI, including server and UI, in the version that tools/temporal-server/go.mod pins.
 */
export async function buildTemporal(target, { signal, go = which('go') } = {}) {
  if (go === null)
    throw new StepError(
      'There is no Temporal server on the PATH, the download failed, and there is no Go to build one',
      'install the Temporal CLI or Go 1.26 or newer, or set TEMPORAL_ADDRESS to a running server',
    );
  const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly', GOWORK: 'off' };
  const packages = { built: 0, total: null };
  const progress = () => progressOf(packages);
  const title = 'Building the Temporal server with Go, once per user';
  await step({ title, about: '5:00', progress }, async () => {
    const listed = await run(go, ['list', '-deps', main], { cwd: module, env, signal });
    if (listed.code === 0) packages.total = countLines(listed.output);
    const linked = `-ldflags=-s -w -X github.com/temporalio/cli/internal/temporalcli.Version=${temporalVersion}`;
    const args = ['build', '-v', '-trimpath', linked, '-o', target, main];
    const onOutput = (chunk) => (packages.built += countLines(chunk));
    const { code, output } = await run(go, args, { cwd: module, env, signal, onOutput });
    if (code !== 0 && signal?.aborted !== true)
      throw failureOf('Go could not build the Temporal server', cureOf(output), output);
  });
}

const countLines = (text) => text.split('\n').length - 1;

/** `go build -v` prints a line per package. */
export function progressOf({ built, total }) {
  if (total === null) return 'reading the list of packages';
  return built >= total ? 'linking' : `${built} of about ${total.toLocaleString('en-US')} packages`;
}

function cureOf(output) {
  if (/requires go >= |toolchain not available|GOTOOLCHAIN/.test(output))
    return 'install Go 1.26.4 or newer (this Go is older and could not download a newer one)';
  return 'check the connection to the Go module proxy, put the Temporal CLI on the PATH, or set TEMPORAL_ADDRESS to a running server';
}

/**
 * `npm run alerts:check`: promtool checks the alert rules and the example configuration, and runs the tests
 * of the rules.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../deploy/prometheus/', import.meta.url));

for (const args of [
  ['check', 'rules', 'alerts.yaml'],
  ['check', 'config', 'prometheus.yaml'],
  ['test', 'rules', 'alerts.test.yaml'],
]) {
  const { status, error } = spawnSync('promtool', args, { cwd: folder, stdio: 'inherit' });
  if (error?.code === 'ENOENT')
    console.error(
      'promtool is missing: it is part of Prometheus; on Debian `apt-get install --no-install-recommends prometheus`.',
    );
  if (status !== 0) process.exit(1);
}

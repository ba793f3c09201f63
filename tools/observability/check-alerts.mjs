/**
 * `npm run alerts:check`: promtool checks the alert rules and the example of a configuration, and plays the
 * rules' own tests.
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
      'promtool is not here: it is part of Prometheus; on Debian `apt-get install --no-install-recommends prometheus`.',
    );
  if (status !== 0) process.exit(1);
}

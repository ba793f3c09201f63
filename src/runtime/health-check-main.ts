/** The health check of the container image: asks the role that the container runs whether it is ready. */
import { readFileSync } from 'node:fs';

const ports = [
  { file: 'src/api/main.ts', variable: 'PARLANCE_HTTP_PORT', usual: '8000' },
  { file: 'src/worker/main.ts', variable: 'PARLANCE_WORKER_HEALTH_PORT', usual: '8001' },
  { file: 'src/media/main.ts', variable: 'PARLANCE_MEDIA_HEALTH_PORT', usual: '8008' },
] as const;

/** Arguments of the container's process, separated by zero bytes. */
const running = readFileSync(process.argv[2] ?? '/proc/1/cmdline', 'utf8').split('\0');
const role = ports.find(({ file }) => running.some((argument) => argument.endsWith(file)));
// Other commands end by themselves, and have no port.
if (role !== undefined) {
  // oxlint-disable-next-line no-process-env -- this process asks another one and has no configuration of its own
  const port = process.env[role.variable] || role.usual;
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
  process.exitCode = answer?.ok === true ? 0 : 1;
}

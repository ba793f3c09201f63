import { createHash } from 'node:crypto';
import { run, which } from './command.mjs';
import { greeting } from './mysql.mjs';
import { root } from './project.mjs';
import { startServer, untilUsable } from './servers.mjs';

const image = 'mysql:8.4';

/** Whether a Docker engine answers; a client without an engine does not count. */
export async function hasDockerEngine() {
  const docker = which('docker');
  return docker !== null && (await run(docker, ['info'], { timeoutMs: 10_000 })).code === 0;
}

/** Arguments of `docker run` for a MySQL with its data in a named volume, or without a volume for tests. */
export function dockerMysqlArgs({ name, port, password, user, database, keep }) {
  const id = `parlance-${createHash('sha256').update(root).digest('hex').slice(0, 8)}-${name}`;
  const account =
    user === 'root'
      ? [`MYSQL_ROOT_PASSWORD=${password}`]
      : [
          'MYSQL_RANDOM_ROOT_PASSWORD=yes',
          `MYSQL_USER=${user}`,
          `MYSQL_PASSWORD=${password}`,
          `MYSQL_DATABASE=${database}`,
        ];
  return [
    'run',
    '--rm',
    '--name',
    id,
    '-p',
    `127.0.0.1:${port}:3306`,
    ...account.flatMap((each) => ['-e', each]),
    ...(keep ? ['-v', `${id}:/var/lib/mysql`] : []),
    image,
    '--default-time-zone=+00:00',
    '--skip-log-bin',
  ];
}

/**
 * Starts MySQL in Docker and waits for its greeting; `docker run` forwards SIGTERM, so it stops like a
 * private server.
 */
export async function startDockerMysql({ name, port, runFolder, logFile, ...account }) {
  const running = startServer({
    name,
    program: which('docker'),
    args: dockerMysqlArgs({ name, port, ...account }),
    runFolder,
    logFile,
  });
  const version = await untilUsable(running, () => greeting(port), 300_000);
  return { ...running, version };
}

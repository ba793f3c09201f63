import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { ownFolder } from './account.mjs';
import { run } from './command.mjs';
import { folder } from './project.mjs';
import { failureOf, say } from './report.mjs';
import { startServer, untilUsable } from './servers.mjs';
import { socketPath } from './socket-path.mjs';

/** Settings of every private instance: those of a production server, but on the loopback only. */
const settings = [
  '--bind-address=127.0.0.1',
  '--skip-name-resolve',
  '--character-set-server=utf8mb4',
  '--collation-server=utf8mb4_unicode_ci',
  '--default-time-zone=+00:00',
  '--max-connections=300',
  '--skip-log-bin',
];

/**
 * Starts a private instance in `home`, which is initialized if it does not exist. `grants`: SQL statements,
 * one per line, run at every start. Answers the running server with the `version` of its greeting.
 */
export async function startMysql({ name, server, home, runFolder, logFile, port, grants, tuning = [] }) {
  folder(temporaryFolder(home));
  const socket = socketPath(home, 'my.sock');
  if (socket.moved) say(`    The project's path is too long for a Unix socket: the socket is ${socket.path}`);
  folder(dirname(socket.path));
  const init = join(home, 'init.sql');
  writeFileSync(init, `${grants.join('\n')}\n`, { mode: 0o600 });
  const account = await ownFolder(home, server.program);
  if (socket.moved) await ownFolder(dirname(socket.path), server.program);
  if (account.note !== null) say(`    ${account.note}`);
  const user = account.name === null ? [] : [`--user=${account.name}`];
  await initialize({ server, home, user });
  const running = startServer({
    name,
    program: server.program,
    args: [
      ...server.prefixArgs,
      '--no-defaults',
      ...user,
      `--datadir=${join(home, 'data')}`,
      `--tmpdir=${temporaryFolder(home)}`,
      ...server.extraArgs,
      `--socket=${socket.path}`,
      `--port=${port}`,
      `--pid-file=${join(home, 'mysqld.pid')}`,
      `--init-file=${init}`,
      ...settings,
      ...tuning,
    ],
    runFolder,
    logFile,
  });
  const version = await untilUsable(running, () => greeting(port), 90_000);
  rmSync(init, { force: true });
  return {
    ...running,
    version,
    async stop() {
      await running.stop();
      if (socket.moved) rmSync(dirname(socket.path), { recursive: true, force: true });
    },
  };
}

/**
 * The folder for temporary files of an instance. In a shared folder, a starting server would remove those of
 * the others.
 */
function temporaryFolder(home) {
  return join(home, 'tmp');
}

/**
 * Initializes the data folder under another name first, so that an interrupted initialization is never used.
 */
async function initialize({ server, home, user }) {
  if (existsSync(join(home, 'data'))) return;
  const part = join(home, 'data.part');
  rmSync(part, { recursive: true, force: true });
  folder(part);
  await ownFolder(home, server.program);
  const { code, output } = await (server.kind === 'mysql' ? initializeMysql : initializeMariadb)({
    server,
    data: part,
    tmp: `--tmpdir=${temporaryFolder(home)}`,
    user,
  });
  if (code !== 0)
    throw failureOf(
      `${server.kind} could not create its data folder`,
      'fix the cause that its output above names',
      output,
    );
  renameSync(part, join(home, 'data'));
}

function initializeMysql({ server, data, tmp, user }) {
  return run(server.program, [
    ...server.prefixArgs,
    '--no-defaults',
    ...user,
    `--datadir=${data}`,
    tmp,
    ...server.extraArgs,
    '--initialize-insecure',
  ]);
}

/**
 * mariadb-install-db needs programs that Debian's core package lacks; the server's own bootstrap mode does
 * not.
 */
function initializeMariadb({ server, data, tmp, user }) {
  if (server.share === null)
    return run('mariadb-install-db', [
      '--no-defaults',
      `--datadir=${data}`,
      tmp,
      ...user,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
    ]);
  const files = ['mysql_system_tables.sql', 'mysql_performance_tables.sql', 'mysql_system_tables_data.sql']
    .map((each) => join(server.share, each))
    .filter((each) => existsSync(each));
  const input = [
    'create database mysql;\nuse mysql;\nset @auth_root_socket=NULL;\n',
    ...files.map((each) => readFileSync(each, 'utf8')),
  ].join('');
  return run(
    server.program,
    [
      '--no-defaults',
      ...user,
      `--datadir=${data}`,
      tmp,
      ...server.extraArgs,
      '--bootstrap',
      '--innodb-log-file-size=32M',
    ],
    { input },
  );
}

/** The version in the greeting of a server on the loopback, or null without a server. */
export function greeting(port) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const finish = (answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(2000, () => finish(null));
    socket.once('error', () => finish(null));
    socket.once('close', () => resolve(null));
    socket.once('data', (packet) => finish(parseGreeting(packet)));
  });
}

/** The version in the first packet of the protocol (number 10), or null. */
export function parseGreeting(packet) {
  const end = packet.indexOf(0, 5);
  return packet[4] === 10 && end > 5 ? packet.toString('latin1', 5, end).replace(/^5\.5\.5-/, '') : null;
}

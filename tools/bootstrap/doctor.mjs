/** `npm run doctor`: lists each requirement, whether it is met, and how to meet it. Changes nothing. */
import { isDebianRoot } from './apt.mjs';
import { run, which } from './command.mjs';
import { isInstalled } from './dependencies.mjs';
import { hasDockerEngine } from './docker.mjs';
import { findServer } from './mysql-find.mjs';
import { isNodeUsable, minNode, pinnedNode } from './node-runtime.mjs';
import { isPortFree } from './ports.mjs';
import { unpackedServer } from './real-mysql.mjs';
import { say } from './report.mjs';
import { askRunning } from './run-lock.mjs';
import { findTemporal } from './temporal-find.mjs';

const env = process.env;
const rows = [
  await node(),
  await npm(),
  dependencies(),
  await mysql(),
  await realMysql(),
  await temporal(),
  await python(),
  model(),
  ...(await ports()),
];
for (const { need, found, how } of rows)
  say(`${found === null ? 'missing' : 'found  '}  ${need.padEnd(24)} ${found ?? how}`);
const missing = rows.filter(({ found, provided }) => found === null && !provided);
say();
say(
  missing.length === 0
    ? 'Ready: npm start and npm test provide what is missing.'
    : `Missing: ${missing.map(({ need }) => need).join(', ')}.`,
);
process.exitCode = missing.length === 0 ? 0 : 1;

/** `provided`: npm start or npm test provide it automatically. */
async function node() {
  const usable = isNodeUsable();
  return {
    need: `Node ${minNode}`,
    found: usable ? process.versions.node : null,
    how: `this is ${process.versions.node}; every npm script first downloads Node ${pinnedNode} with npm`,
    provided: which('npm') !== null,
  };
}

async function npm() {
  const program = which('npm');
  const version =
    program === null
      ? null
      : (await run(program, ['--version'], { cwd: '/' })).output.trim().split('\n').at(-1);
  return { need: 'npm', found: version, how: 'install Node, npm comes with it', provided: false };
}

function dependencies() {
  return {
    need: 'dependencies',
    found: isInstalled() ? 'installed from package-lock.json' : null,
    how: 'npm start installs them',
    provided: true,
  };
}

async function mysql() {
  const server = await findServer(['mariadb', 'mysql']);
  const found = env.DATABASE_URL
    ? 'DATABASE_URL is set'
    : server === null
      ? null
      : `${server.program}, ${server.kind} ${server.version}`;
  const provided = isDebianRoot() || (await hasDockerEngine());
  return {
    need: 'MySQL or MariaDB',
    found,
    how: provided
      ? 'npm start provides one (Debian package or Docker)'
      : 'install mariadb-server or mysql-server, start Docker, or set DATABASE_URL',
    provided,
  };
}

async function realMysql() {
  const server = (await findServer(['mysql'])) ?? (await unpackedServer());
  const found = env.PARLANCE_TEST_MYSQL_URL
    ? 'PARLANCE_TEST_MYSQL_URL is set'
    : server === null
      ? null
      : `mysql ${server.version}`;
  const provided = isDebianRoot() || (await hasDockerEngine());
  return {
    need: 'real MySQL (npm test)',
    found,
    how: provided
      ? 'npm test provides one (Debian package or Docker)'
      : 'put a mysqld 8.4 or newer on the PATH, start Docker, or set PARLANCE_TEST_MYSQL_URL',
    provided,
  };
}

async function temporal() {
  const server = await findTemporal();
  const found = env.TEMPORAL_ADDRESS
    ? `TEMPORAL_ADDRESS is ${env.TEMPORAL_ADDRESS}`
    : server === null
      ? null
      : `${server.program}, ${server.version}`;
  const go = which('go');
  const how =
    go === null
      ? 'npm start downloads it if it has internet access; otherwise install Go 1.26 or the Temporal CLI, or set TEMPORAL_ADDRESS'
      : `npm start downloads it, or builds it with ${(await run(go, ['version'])).output.trim()} (about 5 minutes, once per user)`;
  return { need: 'Temporal server', found, how, provided: true };
}

async function python() {
  const program = which('python3');
  const found =
    program !== null && (await run(program, ['-m', 'ensurepip', '--version'])).code === 0
      ? (await run(program, ['--version'])).output.trim()
      : null;
  return {
    need: 'Python (npm test)',
    found,
    how: isDebianRoot()
      ? 'npm test provides it (Debian package python3-venv)'
      : 'install Python 3.10 or newer with venv; only tests of published clients and of generated requests need it',
    provided: isDebianRoot(),
  };
}

function model() {
  const found = env.OPENAI_API_KEY || env.OPENAI_BASE_URL ? 'a real one is set' : null;
  return {
    need: 'language model',
    found,
    how: 'npm start simulates it until OPENAI_API_KEY or OPENAI_BASE_URL is set',
    provided: true,
  };
}

async function ports() {
  if ((await askRunning()) !== null)
    return [{ need: 'ports', found: 'npm start is running', how: '', provided: true }];
  const wanted = [
    ['API', Number(env.PARLANCE_HTTP_PORT) || 8000],
    ['Temporal', 7233],
    ['Temporal UI', 8233],
  ];
  return Promise.all(
    wanted.map(async ([what, port]) => ({
      need: `port ${port} (${what})`,
      found: (await isPortFree(port)) ? 'free' : null,
      how: 'busy: npm start uses the next free one',
      provided: !(what === 'API' && env.PARLANCE_HTTP_PORT),
    })),
  );
}

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { frugalGo } from './command.mjs';
import { hasDockerEngine, startDockerMysql } from './docker.mjs';
import { noServer, provideServer } from './mysql-find.mjs';
import { startMysql } from './mysql.mjs';
import { isAlive } from './processes.mjs';
import { anyFreePort } from './ports.mjs';
import { folder, root, statePath } from './project.mjs';
import { provideCommandLine, provideNodeClient, providePythonClient } from './published-clients.mjs';
import { provideRealMysql } from './real-mysql.mjs';
import { StepError, say, sentenceOf, step } from './report.mjs';
import { provideSchemathesis } from './schemathesis.mjs';
import { randomPassword } from './secrets.mjs';
import { endLeftoverServers } from './servers.mjs';
import { provideTemporal } from './temporal-find.mjs';
import { startTemporal } from './temporal.mjs';

const temporalForTests = {
  // Temporal deletes a Run that has just ended only after it has noted the progress of its queues, which it does every
  // half minute.
  'history.transferProcessorUpdateAckInterval': '1s',
  'history.visibilityProcessorUpdateAckInterval': '1s',
  // Most tests have task queues of their own; one partition each takes less processor time than four.
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
};

/**
 * Test data need not survive a power failure, and nobody reads statistics of statements. A machine that is busy with
 * other tests may keep a new connection waiting.
 */
const forTests = [
  '--connect-timeout=60',
  '--innodb-flush-log-at-trx-commit=0',
  '--innodb-doublewrite=0',
  '--sync-binlog=0',
  '--performance-schema=OFF',
];

/**
 * Starts the servers of the tests, in a folder of this run. Calls `onStarted(server)` as soon as each server
 * runs, so that all are stopped even when the next one fails. `isDurable` servers persist every commit, as in
 * production, for measurements. Answers the PARLANCE_TEST_* variables.
 */
export async function startTestServices(onStarted, { isDurable = false } = {}) {
  const home = folder(statePath('test', `run-${process.pid}`));
  const options = { home, onStarted, isDurable };
  const mariadb = await mariadbUrl(options);
  const mysql = await mysqlUrl(options);
  return {
    PARLANCE_TEST_MARIADB_URL: mariadb,
    PARLANCE_TEST_MYSQL_URL: mysql,
    ...(await temporalVariables(options)),
    ...(await programVariables()),
  };
}

/**
 * The programs of servers that tests start and kill themselves. An unavailable one stays unset, and its test
 * reports that.
 */
async function programVariables() {
  const mariadbd = process.env.PARLANCE_TEST_MARIADB_PROGRAM ?? (await provideServer(['mariadb']))?.program;
  const temporal = process.env.PARLANCE_TEST_TEMPORAL_PROGRAM ?? (await provideTemporal())?.program;
  return {
    ...(mariadbd === undefined ? {} : { PARLANCE_TEST_MARIADB_PROGRAM: mariadbd }),
    ...(temporal === undefined ? {} : { PARLANCE_TEST_TEMPORAL_PROGRAM: temporal }),
  };
}

/** The published clients of the interface. An unavailable one stays unset, and its test reports that. */
export async function clientVariables() {
  const node = process.env.PARLANCE_TEST_NODE_CLIENT ?? (await orNothing(provideNodeClient));
  const python = process.env.PARLANCE_TEST_PYTHON_CLIENT ?? (await orNothing(providePythonClient));
  const commandLine = process.env.PARLANCE_TEST_COMMAND_LINE ?? (await orNothing(provideCommandLine));
  return {
    ...(node === undefined ? {} : { PARLANCE_TEST_NODE_CLIENT: node }),
    ...(python === undefined ? {} : { PARLANCE_TEST_PYTHON_CLIENT: python }),
    ...(commandLine === undefined ? {} : { PARLANCE_TEST_COMMAND_LINE: commandLine }),
  };
}

/** Schemathesis. If it is unavailable, it stays unset, and its test reports that. */
export async function generatorVariables() {
  const schemathesis = process.env.PARLANCE_TEST_SCHEMATHESIS ?? (await orNothing(provideSchemathesis));
  return schemathesis === undefined ? {} : { PARLANCE_TEST_SCHEMATHESIS: schemathesis };
}

async function orNothing(provide) {
  try {
    return await provide();
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    say(`    ${sentenceOf(error)}`);
    return undefined;
  }
}

/** Removes the files of this run, and those of killed runs. */
export async function cleanTestFolders() {
  if (!existsSync(statePath('test'))) return;
  for (const each of readdirSync(statePath('test')).filter((name) => name.startsWith('run-'))) {
    if (Number(each.slice(4)) !== process.pid && isAlive(Number(each.slice(4)))) continue; // another test run's
    await endLeftoverServers(statePath('test', each, 'run'), (name, pid) =>
      say(`- Ending ${name} (process ${pid}) that a killed test run left behind`),
    );
    rmSync(statePath('test', each), { recursive: true, force: true });
  }
}

async function mariadbUrl(options) {
  if (process.env.PARLANCE_TEST_MARIADB_URL) return process.env.PARLANCE_TEST_MARIADB_URL;
  const server = await provideServer(['mariadb']);
  if (server === null) throw noServer();
  return startDatabase({ name: 'mariadb', title: 'MariaDB', server, ...options });
}

async function mysqlUrl(options) {
  if (process.env.PARLANCE_TEST_MYSQL_URL) return process.env.PARLANCE_TEST_MYSQL_URL;
  const server = await provideRealMysql();
  if (server === null && (await hasDockerEngine())) return dockerUrl(options);
  if (server === null)
    throw new StepError(
      'The tests need a real MySQL server in addition to MariaDB, and none could be provided',
      'put a mysqld 8.4 or newer on the PATH, start a Docker engine, or set PARLANCE_TEST_MYSQL_URL (an account that may create databases)',
    );
  return startDatabase({ name: 'mysql', title: 'MySQL', server, ...options });
}

async function dockerUrl({ home, onStarted }) {
  const [port, password] = [await anyFreePort(), randomPassword()];
  await step({ title: 'Starting MySQL in Docker for the tests', about: '1:00' }, async () => {
    const running = await startDockerMysql({
      name: `test-${process.pid}`,
      port,
      password,
      user: 'root',
      keep: false,
      runFolder: `${home}/run`,
      logFile: statePath('test', 'logs', 'mysql.log'),
    });
    onStarted(running);
    say(`    MySQL ${running.version} on port ${port}`);
  });
  return `mysql://root:${password}@127.0.0.1:${port}/`;
}

async function startDatabase({ name, title, server, home, onStarted, isDurable }) {
  const port = await anyFreePort();
  const password = randomPassword();
  const grants = [
    `CREATE USER IF NOT EXISTS 'tester'@'%' IDENTIFIED BY '${password}';`,
    `GRANT ALL PRIVILEGES ON *.* TO 'tester'@'%' WITH GRANT OPTION;`,
  ];
  await step({ title: `Starting ${title} for the tests`, about: '0:10' }, async () => {
    const running = await startMysql({
      name,
      server,
      home: folder(`${home}/${name}`),
      runFolder: `${home}/run`,
      logFile: statePath('test', 'logs', `${name}.log`),
      port,
      grants,
      tuning: isDurable ? [] : forTests,
    });
    onStarted(running);
    say(`    ${title} ${running.version} on port ${port}`);
  });
  return `mysql://tester:${password}@127.0.0.1:${port}/`;
}

async function temporalVariables({ home, onStarted, isDurable }) {
  if (process.env.PARLANCE_TEST_TEMPORAL_ADDRESS && process.env.PARLANCE_TEST_TEMPORAL_UI_URL) return {};
  const { program, version } = await provideTemporal();
  const { readTemporalPlan } = await import(`${root}/src/config/temporal-plan.ts`);
  const plan = readTemporalPlan();
  const [port, uiPort] = [await anyFreePort(), await anyFreePort()];
  return step({ title: 'Starting Temporal for the tests', about: '0:05' }, async () => {
    const running = await startTemporal({
      program,
      namespace: plan.namespace.name,
      port,
      uiPort,
      dynamicConfig: { ...plan.dynamicConfig, ...(isDurable ? {} : temporalForTests) },
      ...(isDurable ? { dbFile: `${home}/temporal.db` } : {}),
      runFolder: `${home}/run`,
      logFile: statePath('test', 'logs', 'temporal.log'),
      env: isDurable ? process.env : { ...process.env, ...frugalGo },
    });
    onStarted(running);
    say(`    Temporal ${version} on ${running.address}, its UI on ${running.uiUrl}`);
    return { PARLANCE_TEST_TEMPORAL_ADDRESS: running.address, PARLANCE_TEST_TEMPORAL_UI_URL: running.uiUrl };
  });
}

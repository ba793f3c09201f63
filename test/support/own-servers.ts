import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readTemporalPlan } from '../../src/config/temporal-plan.ts';
import { serverOf } from '../../tools/bootstrap/mysql-find.mjs';
import { startMysql } from '../../tools/bootstrap/mysql.mjs';
import { anyFreePort } from '../../tools/bootstrap/ports.mjs';
import { folder, statePath } from '../../tools/bootstrap/project.mjs';
import { startTemporal } from '../../tools/bootstrap/temporal.mjs';
import { testPrograms } from './services.ts';

/**
 * A server for one test, with its data on disk: it may be killed and restarted with the same data on the same
 * port.
 */
export interface OwnServer {
  /** Kills the server with SIGKILL; resolves when it has ended. */
  kill(): Promise<void>;
  /** Restarts it with the same data; resolves when it answers. */
  start(): Promise<void>;
  /** Stops it and removes its data. */
  stop(): Promise<void>;
}

interface Running {
  ended: Promise<unknown>;
  stop(): Promise<void>;
}

/** A MariaDB. `url` has an account that may create databases. Commits are as durable as in production. */
export async function startOwnMariadb(): Promise<OwnServer & { url: string }> {
  const { program, home, runFolder } = { program: testPrograms().mariadb, ...foldersOf('own-mariadb') };
  const server = await serverOf(program);
  if (server === null) throw new Error(`${program} is not a MariaDB or MySQL`);
  const grants = [
    `CREATE USER IF NOT EXISTS 'tester'@'%' IDENTIFIED BY 'of-this-test';`,
    `GRANT ALL PRIVILEGES ON *.* TO 'tester'@'%' WITH GRANT OPTION;`,
  ];
  return await onFreePorts(async ([port = 0]) => {
    const start = () =>
      startMysql({
        name: 'own-mariadb',
        server,
        home,
        runFolder,
        logFile: join(home, 'server.log'),
        port,
        grants,
      });
    return {
      ...(await killable({ name: 'own-mariadb', home, runFolder, start })),
      url: `mysql://tester:of-this-test@127.0.0.1:${port}/`,
    };
  });
}

/** A Temporal dev server with a database file, like that of `npm start`. */
export async function startOwnTemporal(): Promise<
  OwnServer & { address: string; uiUrl: string; httpUrl: string }
> {
  const { program, home, runFolder } = { program: testPrograms().temporal, ...foldersOf('own-temporal') };
  const { namespace, dynamicConfig } = readTemporalPlan();
  return await onFreePorts(async ([port = 0, uiPort = 0, httpPort = 0]) => {
    const start = () =>
      startTemporal({
        name: 'own-temporal',
        program,
        namespace: namespace.name,
        port,
        uiPort,
        httpPort,
        dbFile: join(home, 'temporal.db'),
        dynamicConfig,
        runFolder,
        logFile: join(home, 'server.log'),
      });
    return {
      ...(await killable({ name: 'own-temporal', home, runFolder, start })),
      address: `127.0.0.1:${port}`,
      uiUrl: `http://127.0.0.1:${uiPort}`,
      httpUrl: `http://127.0.0.1:${httpPort}`,
    };
  });
}

/** Starts a server on ports that are free now. If another process takes one before it does, it gets others. */
async function onFreePorts<T>(start: (ports: readonly number[]) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const ports = await Promise.all([anyFreePort(), anyFreePort(), anyFreePort()]);
    try {
      return await start(ports);
    } catch (error) {
      if (attempt === 3) throw error;
    }
  }
}

/** Folders in which `npm test` looks for servers of killed runs (tools/bootstrap/test-services.mjs). */
function foldersOf(name: string): { home: string; runFolder: string } {
  const ofThisRun = statePath('test', `run-${process.pid}`);
  return { home: folder(join(ofThisRun, name)), runFolder: folder(join(ofThisRun, 'run')) };
}

async function killable({
  name,
  home,
  runFolder,
  start,
}: {
  name: string;
  home: string;
  runFolder: string;
  start: () => Promise<Running>;
}): Promise<OwnServer> {
  let running = await start();
  return {
    async kill() {
      process.kill(
        Number(/"pid":(\d+)/.exec(readFileSync(join(runFolder, `${name}.pid`), 'utf8'))?.[1]),
        'SIGKILL',
      );
      await running.ended;
    },
    async start() {
      running = await start();
    },
    async stop() {
      await running.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

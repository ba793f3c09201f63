import { hasDockerEngine, startDockerMysql } from './docker.mjs';
import { noServer, provideServer } from './mysql-find.mjs';
import { startMysql } from './mysql.mjs';
import { choosePort } from './ports.mjs';
import { folder, root, statePath } from './project.mjs';
import { say, step } from './report.mjs';
import { keptSecret, randomPassword } from './secrets.mjs';
import { keepServer } from './servers.mjs';
import { provideTemporal } from './temporal-find.mjs';
import { startTemporal } from './temporal.mjs';

const runFolder = () => statePath('run');
const logFile = (name) => statePath('logs', `${name}.log`);
const user = 'parlance';
const database = 'parlance';

export function tellNote(note) {
  if (note !== null) say(`    ${note}`);
}

const tellTrouble = (line) => say(`! ${line}`);

/** The database of the service: that of DATABASE_URL, or a private instance. Answers its URL. */
export async function provideDatabase({ env, taken, onStarted }) {
  if (env.DATABASE_URL) {
    say('- MySQL: the server of DATABASE_URL');
    return env.DATABASE_URL;
  }
  const server = await provideServer(['mariadb', 'mysql']);
  const docker = server === null && (await hasDockerEngine());
  if (server === null && !docker) throw noServer();
  const { port, note } = await choosePort({ what: 'MySQL', preferred: 13306, taken });
  tellNote(note);
  const password = keptSecret(statePath('mysql', 'password'), randomPassword);
  await step(
    {
      title: `Starting a private ${docker ? 'MySQL in Docker' : server.kind === 'mysql' ? 'MySQL' : 'MariaDB'}`,
      about: docker ? '1:00' : '0:05',
    },
    async () => {
      const inDocker = () =>
        startDockerMysql({
          name: 'mysql',
          port,
          password,
          user,
          database,
          keep: true,
          runFolder: runFolder(),
          logFile: logFile('mysql'),
        });
      const running = await keepServer(
        docker ? inDocker : () => startPrivate({ server, port, password }),
        tellTrouble,
      );
      onStarted(running);
      say(`    ${running.version} on 127.0.0.1:${port}`);
    },
  );
  return `mysql://${user}:${password}@127.0.0.1:${port}/${database}`;
}

function startPrivate({ server, port, password }) {
  const grants = [
    `CREATE DATABASE IF NOT EXISTS ${database} CHARACTER SET utf8mb4;`,
    `CREATE USER IF NOT EXISTS '${user}'@'%' IDENTIFIED BY '${password}';`,
    `ALTER USER '${user}'@'%' IDENTIFIED BY '${password}';`,
    `GRANT ALL PRIVILEGES ON ${database}.* TO '${user}'@'%';`,
  ];
  return startMysql({
    name: 'mysql',
    server,
    home: folder(statePath('mysql', server.kind)),
    runFolder: runFolder(),
    logFile: logFile('mysql'),
    port,
    grants,
  });
}

/**
 * Temporal: that of TEMPORAL_ADDRESS, or a private dev server with a database file. Answers `{ address,
 * uiUrl, namespace }`. `installed` resolves when the dependencies are installed.
 */
export async function provideTemporalServer({ env, taken, onStarted, installed, signal }) {
  if (env.TEMPORAL_ADDRESS) {
    say(`- Temporal: the server of TEMPORAL_ADDRESS, ${env.TEMPORAL_ADDRESS}`);
    await installed;
    const namespace = env.TEMPORAL_NAMESPACE || (await planOfTemporal()).namespace.name;
    return { address: env.TEMPORAL_ADDRESS, uiUrl: env.TEMPORAL_UI_URL || null, namespace };
  }
  const { program, version } = await provideTemporal({ installed });
  await installed;
  signal.throwIfAborted();
  const plan = await planOfTemporal();
  const namespace = env.TEMPORAL_NAMESPACE || plan.namespace.name;
  const frontend = await choosePort({ what: 'Temporal', preferred: 7233, taken });
  const ui = await choosePort({ what: 'Temporal UI', preferred: 8233, taken });
  return step({ title: `Starting Temporal ${version} with its UI`, about: '0:05' }, async () => {
    for (const { note } of [frontend, ui]) tellNote(note);
    const dbFile = `${folder(statePath('temporal'))}/dev.db`;
    const options = {
      program,
      namespace,
      port: frontend.port,
      uiPort: ui.port,
      dbFile,
      dynamicConfig: plan.dynamicConfig,
    };
    const running = await keepServer(
      () => startTemporal({ ...options, runFolder: runFolder(), logFile: logFile('temporal') }),
      tellTrouble,
    );
    onStarted(running);
    return { address: running.address, uiUrl: running.uiUrl, namespace };
  });
}

/** Reads YAML, which requires the installed dependencies. */
async function planOfTemporal() {
  const { readTemporalPlan } = await import(`${root}/src/config/temporal-plan.ts`);
  return readTemporalPlan();
}

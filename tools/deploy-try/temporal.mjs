import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import { run, tail } from '../bootstrap/command.mjs';
import { folder } from '../bootstrap/project.mjs';
import { StepError } from '../bootstrap/report.mjs';
import { startServer, untilUsable } from '../bootstrap/servers.mjs';
import { hostEnvironment, onThisMachine } from './container.mjs';
import { goModuleFolder, goTool } from './go-tool.mjs';

const { ServingStatus } = proto.grpc.health.v1.HealthCheckResponse;
const module = 'temporal-on-mysql';
const databases = ['temporal', 'temporal_visibility'];

/** The server, its schema tool and its UI, in the versions of tools/temporal-on-mysql/go.mod. */
export async function buildTemporal() {
  const sql = await goTool({ module, pkg: 'go.temporal.io/server/cmd/tools/sql', name: 'temporal-sql-tool' });
  const server = await goTool({ module, pkg: 'go.temporal.io/server/cmd/server', name: 'temporal-server' });
  const ui = await goTool({
    module,
    pkg: 'github.com/temporalio/ui-server/v2/cmd/server',
    name: 'ui-server',
  });
  return {
    sqlTool: sql.program,
    server: server.program,
    ui: ui.program,
    isNew: [sql, server, ui].some(({ isNew }) => isNew),
  };
}

/** Runs the schema script twice; the second run must change nothing. */
export async function createSchema({ service, ports, programs, database }) {
  const [shell, ...script] = onThisMachine(service.entrypoint, service);
  const env = {
    ...hostEnvironment(),
    ...service.environment,
    MYSQL_HOST: '127.0.0.1',
    MYSQL_PORT: String(ports.mysql),
    SQL_TOOL: programs.sqlTool,
  };
  const once = async () => {
    const { code, output } = await run(shell, script, { env, timeoutMs: 180_000 });
    if (code !== 0)
      throw new StepError(`${script[0]} failed (code ${code}):\n${tail(output)}`, 'fix the cause above');
    return database.fingerprint(databases);
  };
  const [first, second] = [await once(), await once()];
  if (first.text !== second.text)
    throw new StepError(
      `${script[0]} changed Temporal's databases in its second run`,
      'compare its commands with its header comment',
    );
  return `${first.tables} tables; no changes in the second run`;
}

/**
 * Starts the server with the compose file's own arguments, on free ports of the loopback, and waits until it
 * is serving.
 */
export async function startTemporal({ service, ports, programs, home, logFile, onStarted }) {
  const [, ...args] = onThisMachine(service.entrypoint, service);
  const own = Object.fromEntries(
    Object.entries(ports.temporalParts).map(([name, port]) => [`${name}_PORT`, String(port)]),
  );
  const [DYNAMIC_CONFIG_FILE] = onThisMachine([`${mountOf(service)}/dynamic-config.yaml`], service);
  const env = {
    ...hostEnvironment(),
    ...service.environment,
    ...own,
    BIND_ON_IP: '127.0.0.1',
    METRICS_ADDRESS: `127.0.0.1:${ports.metrics}`,
    DYNAMIC_CONFIG_FILE,
  };
  const running = startServer({
    name: 'temporal',
    program: programs.server,
    args,
    env,
    runFolder: join(home, 'run'),
    logFile,
  });
  onStarted(running);
  const version = await untilUsable(running, () => servingVersion(`127.0.0.1:${ports.temporal}`), 120_000);
  return `Temporal ${version} (the file names ${service.image})`;
}

function mountOf({ volumes }) {
  return volumes[0].split(':')[1];
}

/** The server's version once its frontend is serving, else null. */
async function servingVersion(address) {
  const connection = Connection.lazy({ address, connectTimeout: 2000 });
  try {
    return await connection.withDeadline(Date.now() + 2000, async () => {
      const { status } = await connection.healthService.check({
        service: 'temporal.api.workflowservice.v1.WorkflowService',
      });
      return status === ServingStatus.SERVING
        ? (await connection.workflowService.getSystemInfo({})).serverVersion
        : null;
    });
  } catch {
    return null; // not up yet
  } finally {
    await connection.close();
  }
}

/** Starts the UI with the configuration of its image, on the loopback. */
export async function startUi({ service, ports, programs, home, logFile, onStarted }) {
  const original = join(
    await goModuleFolder({ module, dependency: 'github.com/temporalio/ui-server/v2' }),
    'config',
    'docker.yaml',
  );
  const config = join(home, 'ui', 'config');
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, 'docker.yaml'), `${readFileSync(original, 'utf8')}\nhost: 127.0.0.1\n`);
  const env = { ...hostEnvironment(), ...service.environment, TEMPORAL_UI_PORT: String(ports.ui) };
  const running = startServer({
    name: 'temporal-ui',
    program: programs.ui,
    args: ['--root', folder(join(home, 'ui')), '--env', 'docker', 'start'],
    env,
    runFolder: join(home, 'run'),
    logFile,
  });
  onStarted(running);
  await untilUsable(running, () => answers(`http://127.0.0.1:${ports.ui}/api/v1/cluster-info`), 60_000);
  return `shows the cluster (the file names ${service.image})`;
}

async function answers(url) {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2000) })).ok ? true : null;
  } catch {
    return null; // not up yet
  }
}

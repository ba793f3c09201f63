import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, tail } from '../bootstrap/command.mjs';
import { root } from '../bootstrap/project.mjs';
import { StepError } from '../bootstrap/report.mjs';
import { atPlaces, readCompose, startOrder } from './compose-file.mjs';
import { startDatabase } from './database.mjs';
import { goTool } from './go-tool.mjs';
import { stageImages } from './image.mjs';
import { jsonLines, runInImage, runTask, startRole } from './service.mjs';
import { apiUrl, choosePorts, operatorsVariables, placesOf, portVariables } from './surroundings.mjs';
import { buildTemporal, createSchema, startTemporal, startUi } from './temporal.mjs';
import { timed } from './timed.mjs';

const composeFile = join(root, 'docker-compose.yml');

/** How to run each service of a third-party image. Services of our own image run with their commands. */
const foreign = {
  mysql: async ({ keep, ports, ...rest }) => {
    const database = await startDatabase({ ...rest, port: ports.mysql });
    keep({ database });
    return `MySQL ${database.version} (the file names ${rest.service.image}); its init script created the accounts`;
  },
  'temporal-schema': createSchema,
  temporal: startTemporal,
  'temporal-ui': startUi,
};

/** Runs everything in docker-compose.yml, in order. Throws at the first failure. */
export async function tryDeployment({ home, logs, onStarted, signal }) {
  const ports = await choosePorts();
  const variables = operatorsVariables(ports);
  const services = readServices(variables, ports);
  const trial = { ports, home, onStarted, keep: (more) => Object.assign(trial, more) };
  await timed('docker-compose.yml matches the Compose specification', () =>
    checkCompose(services, variables),
  );
  await timed('Temporal server, schema tool and UI', async () => {
    const { isNew, ...programs } = await buildTemporal();
    trial.keep({ programs });
    return isNew ? 'built' : 'built before';
  });
  await timed('The files of the images', async () => {
    trial.keep({ images: await stageImages() });
    return `copied and installed with the Dockerfile's commands, Node ${process.versions.node}`;
  });
  for (const name of startOrder(services)) {
    signal.throwIfAborted();
    await timed(name, () =>
      runnerOf(
        name,
        services[name],
      )({ ...trial, name, service: services[name], logFile: join(logs, `${name}.log`) }),
    );
  }
  await timed('Console', () => lookAtConsole(ports));
  await timed('Demonstration on this deployment', () => demonstrate({ ...trial, service: services.api }));
  await timed('Temporal UI', () => lookIntoUi(ports, services.api.environment.TEMPORAL_NAMESPACE));
}

function readServices(variables, ports) {
  const own = portVariables(ports);
  const services = atPlaces(readCompose(readFileSync(composeFile, 'utf8'), variables), placesOf(ports));
  return Object.fromEntries(
    Object.entries(services).map(([name, service]) => [
      name,
      { ...service, environment: { ...service.environment, ...own[name] } },
    ]),
  );
}

function runnerOf(name, service) {
  if (service.build !== undefined) return service.restart === 'on-failure' ? runTask : startRole;
  if (foreign[name] === undefined)
    throw new StepError(
      `docker-compose.yml has an unknown service ${name}`,
      'add it to tools/deploy-try/trial.mjs',
    );
  return foreign[name];
}

async function checkCompose(services, variables) {
  const { program } = await goTool({ module: 'compose-check', pkg: '.', name: 'compose-check' });
  const { code, output } = await run(program, [composeFile, 'simulated'], { env: variables });
  if (code !== 0)
    throw new StepError(
      `docker-compose.yml does not match the Compose specification:\n${tail(output)}`,
      'fix the cause above',
    );
  const named = output.trim().split('\n').toSorted();
  if (named.join() !== Object.keys(services).toSorted().join())
    throw new StepError(
      `Docker Compose reads other services: ${named.join(', ')}`,
      'fix tools/deploy-try/compose-file.mjs',
    );
  return `${named.length} services`;
}

async function demonstrate({ service, images, ports }) {
  const seeded = await runInImage({
    name: 'seed',
    command: ['node', 'src/services/identity/seed-main.ts'],
    service,
    images,
  });
  const apiKey = jsonLines(seeded).find((line) => line.apiKey)?.apiKey;
  const env = {
    ...process.env,
    PARLANCE_API_URL: apiUrl(ports),
    PARLANCE_API_KEY: apiKey,
    PARLANCE_SIMULATED: 'true',
  };
  const { code, output } = await run(process.execPath, [join(root, 'tools/demo/demo.ts')], {
    cwd: root,
    env,
    timeoutMs: 120_000,
  });
  if (code !== 0)
    throw new StepError(`The demonstration failed:\n${tail(output, 30)}`, 'fix the cause above');
  const disposition = /disposition (\S+)/.exec(output)?.[1];
  return `seeded; a call of several nodes, disposition ${disposition}, its signed webhook arrived`;
}

/** Checks that the page of the console and its script are in the image. */
async function lookAtConsole(ports) {
  const page = await fetch(new URL('/', apiUrl(ports)), { headers: { accept: 'text/html' } });
  const script = /<script[^>]+src="([^"]+)"/.exec(await page.text())?.[1];
  const answer = script === undefined ? page : await fetch(new URL(script, page.url));
  if (script === undefined || !answer.ok)
    throw new StepError(
      `The console is not served: status ${answer.status} at ${answer.url}`,
      'look at the stage "console" of the Dockerfile',
    );
  return `served, with ${new URL(answer.url).pathname}`;
}

/** Checks the demonstration's call in the UI. */
async function lookIntoUi(ports, namespace) {
  const answer = await fetch(
    `http://127.0.0.1:${ports.ui}/api/v1/namespaces/${namespace}/workflows?query=${encodeURIComponent("WorkflowType='callWorkflow' AND Disposition IS NOT NULL")}`,
  );
  const { executions = [] } = answer.ok ? await answer.json() : {};
  if (executions.length !== 1)
    throw new StepError(
      `Temporal UI shows ${executions.length} finished calls (status ${answer.status}), one was made`,
      'the visibility store of deploy/temporal/server.yaml',
    );
  return `shows the call, ${executions[0].status}`;
}

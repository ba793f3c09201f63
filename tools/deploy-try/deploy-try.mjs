/**
 * `npm run deploy:try`: runs docker-compose.yml on this machine without a Docker engine: a private MySQL and
 * a Temporal built with Go, with the files, variables and commands of the compose file. Only the images are
 * not tested.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { installDependencies } from '../bootstrap/dependencies.mjs';
import { onUsableNode } from '../bootstrap/node-runtime.mjs';
import { isAlive } from '../bootstrap/processes.mjs';
import { folder, statePath } from '../bootstrap/project.mjs';
import { minutes, say } from '../bootstrap/report.mjs';
import { endLeftoverServers } from '../bootstrap/servers.mjs';
import { stopRequest } from '../bootstrap/stop-request.mjs';
import { removeImages } from './image.mjs';

await onUsableNode(fileURLToPath(import.meta.url), async () => {
  const stop = stopRequest();
  const started = Date.now();
  const running = [];
  try {
    await installDependencies();
    await cleanFolders();
    const { tryDeployment } = await import('./trial.mjs'); // needs the dependencies
    const home = folder(statePath('deploy-try', `run-${process.pid}`));
    await tryDeployment({
      home,
      logs: folder(statePath('deploy-try', 'logs')),
      signal: stop.signal,
      onStarted: (each) => running.push(each),
    });
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    return 130;
  } finally {
    for (const each of running.toReversed()) await each.stop();
    await cleanFolders();
  }
  say(`${minutes(Date.now() - started).padStart(6)}  in all; everything is stopped`);
  say('deploy:try: everything in docker-compose.yml ran, except the images');
  return 0;
});

/** Removes the files of this run and of killed runs. The logs stay. */
async function cleanFolders() {
  removeImages();
  if (!existsSync(statePath('deploy-try'))) return;
  for (const each of readdirSync(statePath('deploy-try')).filter((name) => name.startsWith('run-'))) {
    if (Number(each.slice(4)) !== process.pid && isAlive(Number(each.slice(4)))) continue; // another run's
    await endLeftoverServers(statePath('deploy-try', each, 'run'), (name, pid) =>
      say(`- Ending ${name} (process ${pid}) that a killed run left behind`),
    );
    rmSync(statePath('deploy-try', each), { recursive: true, force: true });
  }
}

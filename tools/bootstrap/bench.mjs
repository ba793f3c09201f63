/**
 * `npm run bench`: provisions real servers, or uses those of PARLANCE_TEST_*, and measures the service on
 * them.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { installDependencies } from './dependencies.mjs';
import { onUsableNode } from './node-runtime.mjs';
import { root } from './project.mjs';
import { StepError } from './report.mjs';
import { stopRequest } from './stop-request.mjs';
import { cleanTestFolders, startTestServices } from './test-services.mjs';

await onUsableNode(fileURLToPath(import.meta.url), async () => {
  const stop = stopRequest();
  const running = [];
  try {
    await installDependencies();
    await checkArguments();
    await cleanTestFolders();
    const services = await startTestServices((server) => running.push(server), { isDurable: true });
    return await measure(services, stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    return 130;
  } finally {
    await Promise.all(running.map((server) => server.stop()));
    await cleanTestFolders();
  }
});

/** Runs before any server is started. */
async function checkArguments() {
  const { readOptions } = await import(`${root}/tools/bench/options.ts`);
  try {
    readOptions(process.argv.slice(2));
  } catch (error) {
    throw new StepError(error.message, 'use an argument that docs/benchmarks.md lists');
  }
}

/** Runs in a separate process, which ends when this one does. */
function measure(services, signal) {
  const stopWithParent = pathToFileURL(join(root, 'tools/bootstrap/stop-with-parent.mjs')).href;
  const child = spawn(
    process.execPath,
    ['--import', stopWithParent, join(root, 'tools/bench/main.ts'), ...process.argv.slice(2)],
    { cwd: root, env: { ...process.env, ...services }, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  );
  signal.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
  return new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

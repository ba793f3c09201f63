/**
 * `npm run screenshots`: takes the pictures of the documents and of every screen of the console. It provisions
 * real servers, or uses those of PARLANCE_TEST_*. Pictures of Temporal UI and of the API reference need `npm
 * start` in another terminal, after its demonstration.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './command.mjs';
import { installDependencies } from './dependencies.mjs';
import { onUsableNode } from './node-runtime.mjs';
import { root } from './project.mjs';
import { StepError } from './report.mjs';
import { cleanTestFolders, startTestServices } from './test-services.mjs';

const service = 'http://127.0.0.1:8000/readyz';

await onUsableNode(fileURLToPath(import.meta.url), async () => {
  const running = [];
  try {
    await installDependencies();
    if (!(await isReady()))
      throw new StepError(
        `${service} does not answer`,
        'run npm start in another terminal, and wait for its demonstration',
      );
    await cleanTestFolders();
    const env = { ...process.env, ...(await startTestServices((server) => running.push(server))) };
    for (const each of ['temporal-ui', 'api-reference', 'console', 'contact-files'])
      if ((await take(each, env)) !== 0) return 1;
    return 0;
  } finally {
    await Promise.all(running.map((server) => server.stop()));
    await cleanTestFolders();
  }
});

async function take(name, env) {
  const file = join(root, `tools/screenshots/${name}.ts`);
  const { code } = await run(process.execPath, [file], {
    env,
    onOutput: (chunk) => process.stderr.write(chunk),
  });
  return code;
}

async function isReady() {
  return await fetch(service, { signal: AbortSignal.timeout(5000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** `npm run console:build`. */
import { fileURLToPath } from 'node:url';
import { buildConsole } from './console-build.mjs';
import { installDependencies } from './dependencies.mjs';
import { onUsableNode } from './node-runtime.mjs';

await onUsableNode(fileURLToPath(import.meta.url), async () => {
  await installDependencies();
  await buildConsole();
});

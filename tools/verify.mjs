/** `npm run verify`: every check that needs no service, in seconds. */
import { fileURLToPath } from 'node:url';
import { installDependencies } from './bootstrap/dependencies.mjs';
import { consoleBuild, runChecks, staticChecks, printTotals } from './bootstrap/checks.mjs';
import { onUsableNode } from './bootstrap/node-runtime.mjs';

await onUsableNode(fileURLToPath(import.meta.url), async () => {
  await installDependencies();
  return printTotals(await runChecks([...staticChecks(), consoleBuild()], { width: 2 }));
});

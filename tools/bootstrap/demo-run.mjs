import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './project.mjs';

/**
 * Runs the demonstration against the running service `{ apiUrl, apiKey, uiUrl, namespace, simulated,
 * simulatedCarrierUrl, receiverPort }`; answers its exit code.
 */
export function runDemo(
  { apiUrl, apiKey, uiUrl, namespace, simulated, simulatedCarrierUrl, receiverPort },
  signal,
) {
  const env = {
    ...process.env,
    PARLANCE_API_URL: apiUrl,
    PARLANCE_API_KEY: apiKey,
    TEMPORAL_NAMESPACE: namespace,
    PARLANCE_SIMULATED: String(simulated),
    PARLANCE_DEMO_RECEIVER_PORT: receiverPort ?? 'none',
    ...(uiUrl === null ? {} : { TEMPORAL_UI_URL: uiUrl }),
    ...(simulatedCarrierUrl === null ? {} : { PARLANCE_SIMULATED_CARRIER_URL: simulatedCarrierUrl }),
  };
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'tools/demo/demo.ts'), ...process.argv.slice(2)], {
      cwd: root,
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    signal?.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
    child.once('error', () => resolve(1));
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

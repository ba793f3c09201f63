import { choosePort } from './ports.mjs';
import { statePath } from './project.mjs';
import { keptSecret, randomKeyRing } from './secrets.mjs';
import { tellNote } from './start-services.mjs';

/** Whether the simulated language model stands in: neither a key nor an endpoint of a real one is set. */
export function isSimulated(env) {
  return !env.OPENAI_API_KEY && !env.OPENAI_BASE_URL;
}

/** What the language model is reached by. A local endpoint may need no key, the client library always does. */
export function llmVariables(env, emulatorPort) {
  if (isSimulated(env)) return { OPENAI_API_KEY: 'simulated', OPENAI_BASE_URL: `http://127.0.0.1:${emulatorPort}/v1`, PARLANCE_EMULATOR_LLM_PORT: String(emulatorPort) };
  return { OPENAI_API_KEY: env.OPENAI_API_KEY || 'none', ...(env.OPENAI_BASE_URL ? { OPENAI_BASE_URL: env.OPENAI_BASE_URL } : {}) };
}

/** The environment of every role: what a person set goes first, the rest is made for a development machine. */
export async function roleEnvironment({ env, taken, databaseUrl, temporal }) {
  const http = await choosePort({ what: 'the API', preferred: 8000, variable: 'PARLANCE_HTTP_PORT', fixed: env.PARLANCE_HTTP_PORT, taken });
  const health = await choosePort({ what: "the worker's health server", preferred: 8001, variable: 'PARLANCE_WORKER_HEALTH_PORT', fixed: env.PARLANCE_WORKER_HEALTH_PORT, taken });
  const emulator = await choosePort({ what: 'the simulated language model', preferred: 8002, taken });
  const metrics = await choosePort({ what: "the API's metrics", preferred: 8003, variable: 'PARLANCE_METRICS_PORT', fixed: env.PARLANCE_METRICS_PORT, taken });
  tellNote(http.note);
  return {
    ...env,
    ...llmVariables(env, emulator.port),
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporal.address,
    ...(temporal.uiUrl === null ? {} : { TEMPORAL_UI_URL: temporal.uiUrl }),
    PARLANCE_HTTP_HOST: env.PARLANCE_HTTP_HOST || '127.0.0.1',
    PARLANCE_HTTP_PORT: String(http.port),
    PARLANCE_WORKER_HEALTH_PORT: String(health.port),
    PARLANCE_METRICS_PORT: String(metrics.port),
    PARLANCE_PUBLIC_URL: env.PARLANCE_PUBLIC_URL || `http://localhost:${http.port}`,
    PARLANCE_ENCRYPTION_KEYS: env.PARLANCE_ENCRYPTION_KEYS || keptSecret(statePath('encryption-keys'), randomKeyRing),
    PARLANCE_FILES_DIRECTORY: env.PARLANCE_FILES_DIRECTORY || statePath('files'),
    // The demonstration's receiver is on this machine; a deployment allows no private host unless its operator does.
    PARLANCE_ALLOWED_PRIVATE_HOSTS: env.PARLANCE_ALLOWED_PRIVATE_HOSTS || '127.0.0.1,localhost',
    PARLANCE_ALLOW_HTTP: env.PARLANCE_ALLOW_HTTP || 'true',
  };
}

import { choosePort, isPortFree } from '../bootstrap/ports.mjs';
import { statePath } from '../bootstrap/project.mjs';
import { randomKeyRing, randomPassword } from '../bootstrap/secrets.mjs';

/**
 * An address of this machine that a server on 127.0.0.1 does not listen on: it stands for another container.
 */
const elsewhere = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1';

/**
 * The ports to listen on: those of docker-compose.yml and server.yaml plus 10000. Temporal stores its own in
 * 15 bits.
 */
const preferredPorts = {
  mysql: 13306,
  ui: 18080,
  api: 18000,
  worker: 18001,
  importer: 18011,
  apiMetrics: 18003,
  media: 18004,
  mediaHealth: 18008,
  llm: 19400,
  metrics: 19090,
};
const temporalParts = {
  FRONTEND: 17233,
  HISTORY: 17234,
  MATCHING: 17235,
  WORKER: 17239,
  FRONTEND_MEMBERSHIP: 16933,
  HISTORY_MEMBERSHIP: 16934,
  MATCHING_MEMBERSHIP: 16935,
  WORKER_MEMBERSHIP: 16939,
};

/** Chooses a free port for every listener. */
export async function choosePorts() {
  const taken = new Set();
  const free = async (wanted) => {
    const ports = {};
    for (const [what, preferred] of Object.entries(wanted))
      ports[what] = (
        await choosePort({ what, preferred, taken, isFree: (port) => isPortFree(port, '0.0.0.0') })
      ).port;
    return ports;
  };
  const ports = { ...(await free(preferredPorts)), temporalParts: await free(temporalParts) };
  return { ...ports, temporal: ports.temporalParts.FRONTEND };
}

/** The address of the API for the demonstration and the other containers. */
export function apiUrl(ports) {
  return `http://${elsewhere}:${ports.api}`;
}

/** The operator's `.env` for the simulated language model and a receiver on this machine. */
export function operatorsVariables(ports) {
  return {
    MYSQL_ROOT_PASSWORD: randomPassword(),
    PARLANCE_DATABASE_PASSWORD: randomPassword(),
    TEMPORAL_DATABASE_PASSWORD: randomPassword(),
    PARLANCE_ENCRYPTION_KEYS: randomKeyRing(),
    PARLANCE_ALLOWED_PRIVATE_HOSTS: '127.0.0.1:*',
    PARLANCE_ALLOW_HTTP: 'true',
    PARLANCE_FILES_DIRECTORY: statePath('deploy-try', 'files'),
    PARLANCE_PUBLIC_URL: apiUrl(ports),
    TEMPORAL_UI_URL: `http://127.0.0.1:${ports.ui}`,
    OPENAI_API_KEY: 'simulated',
    OPENAI_BASE_URL: 'http://simulated-llm:9400/v1',
  };
}

/** Addresses of the compose network and their replacements on this machine. */
export function placesOf(ports) {
  return {
    'mysql:3306': `127.0.0.1:${ports.mysql}`,
    'temporal:7233': `127.0.0.1:${ports.temporal}`,
    'simulated-llm:9400': `${elsewhere}:${ports.llm}`,
    '127.0.0.1:8000': `127.0.0.1:${ports.api}`,
    '127.0.0.1:8001': `127.0.0.1:${ports.worker}`,
    '127.0.0.1:8011': `127.0.0.1:${ports.importer}`,
    '127.0.0.1:8008': `127.0.0.1:${ports.mediaHealth}`,
    '127.0.0.1:9400': `127.0.0.1:${ports.llm}`,
  };
}

/** Port variables that containers do not need, because each container has its own address. */
export function portVariables(ports) {
  return {
    api: { PARLANCE_HTTP_PORT: String(ports.api), PARLANCE_METRICS_PORT: String(ports.apiMetrics) },
    worker: { PARLANCE_WORKER_HEALTH_PORT: String(ports.worker) },
    importer: { PARLANCE_WORKER_HEALTH_PORT: String(ports.importer) },
    media: {
      PARLANCE_MEDIA_PORT: String(ports.media),
      PARLANCE_MEDIA_HEALTH_PORT: String(ports.mediaHealth),
      PARLANCE_MEDIA_PUBLIC_URL: `ws://127.0.0.1:${ports.media}`,
    },
    'simulated-llm': { PARLANCE_EMULATOR_LLM_PORT: String(ports.llm) },
  };
}

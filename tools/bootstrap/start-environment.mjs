import { join } from 'node:path';
import { choosePort } from './ports.mjs';
import { folder, statePath } from './project.mjs';
import { keptSecret, randomKeyRing, randomPassword } from './secrets.mjs';
import { tellNote } from './start-services.mjs';

/** Whether the language model is simulated: neither a key nor an endpoint of a real one is set. */
export function isSimulated(env) {
  return !env.OPENAI_API_KEY && !env.OPENAI_BASE_URL;
}

/**
 * Variables of the language model. A local endpoint may need no key, but the client library always requires
 * one.
 */
export function llmVariables(env, emulatorPort) {
  if (isSimulated(env))
    return {
      OPENAI_API_KEY: 'simulated',
      OPENAI_BASE_URL: `http://127.0.0.1:${emulatorPort}/v1`,
      PARLANCE_EMULATOR_LLM_PORT: String(emulatorPort),
    };
  return {
    OPENAI_API_KEY: env.OPENAI_API_KEY || 'none',
    ...(env.OPENAI_BASE_URL ? { OPENAI_BASE_URL: env.OPENAI_BASE_URL } : {}),
  };
}

/** The vendors to simulate: those without a key and without the address of another server. */
export function simulatedVendors(env) {
  return {
    carrier: !env.TELNYX_API_KEY && !env.TELNYX_API_URL,
    recognition:
      env.STT_PROVIDER === 'openai' ? isSimulated(env) : !env.TELNYX_API_KEY && !env.TELNYX_STT_URL,
    voices:
      env.TTS_PROVIDER === 'openai'
        ? isSimulated(env) && !env.OPENAI_SPEECH_URL
        : !env.GOOGLE_APPLICATION_CREDENTIALS && !env.GOOGLE_TTS_ENDPOINT,
  };
}

/** Variables of the carrier, speech recognition and voices, and of their simulators. */
export function speechVariables(env, ports) {
  const { carrier, recognition, voices } = simulatedVendors(env);
  const at = (port) => `127.0.0.1:${port}`;
  return {
    ...(carrier
      ? {
          TELNYX_API_URL: `http://${at(ports.carrier)}/v2`,
          PARLANCE_SIMULATED_CARRIER_URL: `http://${at(ports.carrier)}`,
          PARLANCE_EMULATOR_CARRIER_PORT: String(ports.carrier),
          PARLANCE_EMULATOR_CARRIER_KEY_SEED: keptSecret(statePath('carrier-key-seed'), randomPassword),
          PARLANCE_EMULATOR_CARRIER_LOG: join(folder(statePath('logs')), 'carrier-simulated-calls.jsonl'),
          PARLANCE_EMULATOR_CARRIER_STATE: statePath('carrier-simulated.json'),
        }
      : {}),
    ...(recognition
      ? {
          STT_PROVIDER: 'telnyx',
          TELNYX_STT_URL: `ws://${at(ports.recognition)}/v2/speech-to-text/transcription`,
          TELNYX_API_KEY: env.TELNYX_API_KEY || 'simulated',
          PARLANCE_EMULATOR_STT_PORT: String(ports.recognition),
        }
      : {}),
    ...(voices
      ? {
          TTS_PROVIDER: 'google',
          GOOGLE_TTS_ENDPOINT: `http://${at(ports.voices)}`,
          PARLANCE_EMULATOR_TTS_GOOGLE_PORT: String(ports.voices),
        }
      : {}),
  };
}

/**
 * The private hosts that customers' URLs may reach, for all organizations of this machine: what the user says;
 * else only the receiver of the demonstration, and nothing once others may reach the service or a real key is
 * set.
 */
export function privateHosts(env, receiverPort) {
  if (env.PARLANCE_ALLOWED_PRIVATE_HOSTS) return env.PARLANCE_ALLOWED_PRIVATE_HOSTS;
  const isReal = [
    'PARLANCE_PUBLIC_URL',
    'OPENAI_API_KEY',
    'TELNYX_API_KEY',
    'GOOGLE_APPLICATION_CREDENTIALS',
  ].some((name) => env[name]);
  // guarantee: start-lets-urls-reach-no-private-host
  return isReal ? '' : `127.0.0.1:${receiverPort}`;
}

/** What `npm start` says of them. */
export const privateHostsLine = (hosts) =>
  hosts === ''
    ? 'URLs of organizations reach no private host (PARLANCE_ALLOWED_PRIVATE_HOSTS allows some)'
    : `URLs of organizations reach these private hosts: ${hosts} (PARLANCE_ALLOWED_PRIVATE_HOSTS)`;

/** The port of the demonstration's receiver; null if customers' URLs may not reach it. */
export function receiverPortOf(hosts, port) {
  const entries = hosts.split(',').map((entry) => entry.trim());
  return [`127.0.0.1:${port}`, '127.0.0.1:*'].some((entry) => entries.includes(entry)) ? port : null;
}

/** Ports of the simulators. */
async function speechPorts(taken) {
  const carrier = await choosePort({ what: 'the simulated carrier', preferred: 8005, taken });
  const recognition = await choosePort({ what: 'the simulated speech recognition', preferred: 8006, taken });
  const voices = await choosePort({ what: 'the simulated voices', preferred: 8007, taken });
  return { carrier: carrier.port, recognition: recognition.port, voices: voices.port };
}

/**
 * The environment of every role. Variables set by the user take precedence; the rest suits a development
 * machine.
 */
export async function roleEnvironment({ env, taken, databaseUrl, temporal }) {
  const http = await choosePort({
    what: 'the API',
    preferred: 8000,
    variable: 'PARLANCE_HTTP_PORT',
    fixed: env.PARLANCE_HTTP_PORT,
    taken,
  });
  const health = await choosePort({
    what: "the worker's health server",
    preferred: 8001,
    variable: 'PARLANCE_WORKER_HEALTH_PORT',
    fixed: env.PARLANCE_WORKER_HEALTH_PORT,
    taken,
  });
  const emulator = await choosePort({ what: 'the simulated language model', preferred: 8002, taken });
  const metrics = await choosePort({
    what: "the API's metrics",
    preferred: 8003,
    variable: 'PARLANCE_METRICS_PORT',
    fixed: env.PARLANCE_METRICS_PORT,
    taken,
  });
  const media = await choosePort({
    what: 'the media host',
    preferred: 8004,
    variable: 'PARLANCE_MEDIA_PORT',
    fixed: env.PARLANCE_MEDIA_PORT,
    taken,
  });
  const mediaHealth = await choosePort({
    what: "the media host's health server",
    preferred: 8008,
    variable: 'PARLANCE_MEDIA_HEALTH_PORT',
    fixed: env.PARLANCE_MEDIA_HEALTH_PORT,
    taken,
  });
  const receiver = await choosePort({ what: "the demonstration's receiver", preferred: 8009, taken });
  const allowedHosts = privateHosts(env, receiver.port);
  const receiverPort = receiverPortOf(allowedHosts, receiver.port);
  tellNote(http.note);
  return {
    MALLOC_ARENA_MAX: '2', // as in the image
    ...env,
    ...llmVariables(env, emulator.port),
    ...speechVariables(env, await speechPorts(taken)),
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporal.address,
    ...(temporal.uiUrl === null ? {} : { TEMPORAL_UI_URL: temporal.uiUrl }),
    PARLANCE_HTTP_HOST: env.PARLANCE_HTTP_HOST || '127.0.0.1',
    PARLANCE_HTTP_PORT: String(http.port),
    PARLANCE_WORKER_HEALTH_PORT: String(health.port),
    PARLANCE_METRICS_PORT: String(metrics.port),
    PARLANCE_MEDIA_PORT: String(media.port),
    PARLANCE_MEDIA_HEALTH_PORT: String(mediaHealth.port),
    PARLANCE_MEDIA_PUBLIC_URL: env.PARLANCE_MEDIA_PUBLIC_URL || `ws://localhost:${media.port}`,
    // On a development machine there is no other host that calls could move to.
    PARLANCE_MEDIA_DRAIN_MS: env.PARLANCE_MEDIA_DRAIN_MS || '2000',
    PARLANCE_PUBLIC_URL: env.PARLANCE_PUBLIC_URL || `http://localhost:${http.port}`,
    PARLANCE_ENCRYPTION_KEYS:
      env.PARLANCE_ENCRYPTION_KEYS || keptSecret(statePath('encryption-keys'), randomKeyRing),
    PARLANCE_FILES_DIRECTORY: env.PARLANCE_FILES_DIRECTORY || statePath('files'),
    PARLANCE_ALLOWED_PRIVATE_HOSTS: allowedHosts,
    PARLANCE_ALLOW_HTTP: env.PARLANCE_ALLOW_HTTP || String(receiverPort !== null),
    ...(receiverPort === null ? {} : { PARLANCE_DEMO_RECEIVER_PORT: String(receiverPort) }),
  };
}

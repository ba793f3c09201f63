/**
 * `npm start`: provisions what is missing, starts everything, shows a first conversation, and keeps the
 * service running.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleOwnRoles } from './bundle-roles.mjs';
import { buildConsole, isConsoleBuilt } from './console-build.mjs';
import { runDemo } from './demo-run.mjs';
import { installDependencies } from './dependencies.mjs';
import { keepDevelopmentProfile } from './development-profile.mjs';
import { onUsableNode } from './node-runtime.mjs';
import { prepare } from './prepare.mjs';
import { root, statePath } from './project.mjs';
import { say, step } from './report.mjs';
import { rolesOf, startRoles } from './roles.mjs';
import { takeLock } from './run-lock.mjs';
import { endLeftoverServers } from './servers.mjs';
import { isSimulated, privateHostsLine, roleEnvironment } from './start-environment.mjs';
import { newSignInLink } from './sign-in-link.mjs';
import { provideDatabase, provideTemporalServer } from './start-services.mjs';
import { stopRequest } from './stop-request.mjs';
import { together } from './together.mjs';

await onUsableNode(fileURLToPath(import.meta.url), async () => {
  const lock = await takeLock();
  if (lock.held !== undefined) return tellRunning(lock.held);
  const stop = stopRequest();
  const started = [];
  try {
    Object.assign(
      lock.state,
      await bringUp({ signal: stop.signal, onStarted: (each) => started.push(each) }),
      { phase: 'running' },
    );
    if (!stop.signal.aborted) await showDemoOnce(lock.state, stop.signal);
    if (!stop.signal.aborted) say('\nRunning. Ctrl-C stops everything.');
    await stop.asked;
  } catch (error) {
    if (!stop.signal.aborted) throw error; // failures after a stop request do not count
  } finally {
    await stopAll(started);
    await lock.release();
  }
  return 0;
});

async function bringUp({ signal, onStarted }) {
  if (existsSync(join(root, '.env'))) process.loadEnvFile(join(root, '.env'));
  const env = { ...process.env };
  await endLeftoverServers(statePath('run'), (name, pid) =>
    say(`- Ending ${name} (process ${pid}) that a killed run left behind`),
  );
  const taken = new Set();
  const installed = installDependencies();
  const [databaseUrl, temporal] = await together([
    provideDatabase({ env, taken, onStarted }),
    provideTemporalServer({ env, taken, onStarted, installed, signal }),
    installed.then(buildConsole),
    installed.then(bundleOwnRoles),
  ]);
  signal.throwIfAborted();
  const roleEnv = await roleEnvironment({ env, taken, databaseUrl, temporal });
  const apiKey = await prepare(roleEnv);
  signal.throwIfAborted();
  await startRoles({ roles: rolesOf(env, roleEnv), env: roleEnv, onStarted, signal });
  const state = {
    apiUrl: `http://localhost:${roleEnv.PARLANCE_HTTP_PORT}`,
    uiUrl: temporal.uiUrl,
    namespace: temporal.namespace,
    simulated: isSimulated(env),
    simulatedCarrierUrl: roleEnv.PARLANCE_SIMULATED_CARRIER_URL ?? null,
    privateHosts: roleEnv.PARLANCE_ALLOWED_PRIVATE_HOSTS,
    databaseUrl,
    hasConsole: env.PARLANCE_CONSOLE !== 'false' && isConsoleBuilt(),
    receiverPort: roleEnv.PARLANCE_DEMO_RECEIVER_PORT ?? null,
  };
  keepDevelopmentProfile({ apiUrl: state.apiUrl, apiKey });
  await tellUrls(state);
  return { ...state, apiKey };
}

async function tellUrls(state) {
  const { apiUrl, uiUrl, simulated, simulatedCarrierUrl, privateHosts } = state;
  const link = state.hasConsole ? await newSignInLink(state) : null;
  say();
  if (link !== null) {
    say(`  Console      ${link}`);
    say(
      '               signs you in once, within 15 minutes; `npm start` in another terminal prints a new link',
    );
    say();
  }
  say(`  API          ${apiUrl}/api/v1`);
  say(`  Reference    ${apiUrl}/api/v1/docs, described by /api/v1/openapi.json`);
  say(`  Health       ${apiUrl}/readyz`);
  if (uiUrl !== null) say(`  Temporal UI  ${uiUrl}`);
  say(`  Logs         ${statePath('logs')}`);
  say(`  ${privateHostsLine(privateHosts)}`);
  if (simulated)
    say('  The language model is SIMULATED: set OPENAI_API_KEY (or OPENAI_BASE_URL) for a real one');
  if (simulatedCarrierUrl !== null)
    say(
      '  The carrier, speech recognition and voices are SIMULATED (no phone rings): docs/telephony.md explains how to connect real ones',
    );
}

async function tellRunning(state) {
  say(`Already ${state.phase} (process ${state.pid}).`);
  if (state.phase === 'running') await tellUrls(state);
  return 0;
}

async function showDemoOnce(state, signal) {
  const shown = statePath('demo-shown');
  if (existsSync(shown) || state.apiKey === null) return;
  if ((await runDemo(state, signal)) === 0) writeFileSync(shown, '');
  else if (!signal.aborted) say('\n! The demonstration failed; repeat it with `npm run demo`');
}

/** Stops in reverse order: the roles drain, then Temporal stops, then MySQL. */
async function stopAll(started) {
  if (started.length === 0) return;
  await step({ title: 'Stopping', about: '0:05' }, async () => {
    for (const each of started.toReversed()) await each.stop();
  });
}

import { startServer, untilUsable } from './servers.mjs';

/** The flags of `temporal server start-dev`. Without `dbFile` the server loses everything when it stops. */
export function devServerArgs({ namespace, port, uiPort, httpPort = 0, dbFile, dynamicConfig }) {
  return [
    'server',
    'start-dev',
    '--ip=127.0.0.1',
    `--port=${port}`,
    `--ui-port=${uiPort}`,
    ...(httpPort === 0 ? [] : [`--http-port=${httpPort}`]),
    `--namespace=${namespace}`,
    '--log-level=warn',
    '--ui-disable-news-fetch',
    // The UI asks for its own origin; the HTTP API beside it does not, and any web page could post to it. No
    // client uses it, so no host is allowed.
    // guarantee: no-page-posts-to-development-temporal
    '--dynamic-config-value=frontend.httpAllowedHosts=["none.invalid"]',
    // Timers of less than a second are on time, not up to a second late. It is the difference that the clocks of several
    // history nodes may have, and this server has one node.
    '--dynamic-config-value=history.timerProcessorMaxTimeShift="50ms"',
    ...(dbFile === undefined
      ? []
      : [
          `--db-filename=${dbFile}`,
          '--sqlite-pragma=journal_mode=WAL',
          '--sqlite-pragma=synchronous=NORMAL',
        ]),
    ...Object.entries(dynamicConfig).flatMap(([key, value]) => [
      '--dynamic-config-value',
      `${key}=${JSON.stringify(value)}`,
    ]),
  ];
}

/**
 * Starts the dev server with its UI and waits until the frontend answers for the namespace (through the UI).
 */
export async function startTemporal({
  name = 'temporal',
  program,
  namespace,
  port,
  uiPort,
  httpPort = 0,
  dbFile,
  dynamicConfig,
  runFolder,
  logFile,
  env = process.env,
}) {
  const running = startServer({
    name,
    program,
    args: devServerArgs({ namespace, port, uiPort, httpPort, dbFile, dynamicConfig }),
    runFolder,
    logFile,
    graceMs: 6000,
    env,
  });
  const uiUrl = `http://127.0.0.1:${uiPort}`;
  await untilUsable(running, () => namespaceAnswers(`${uiUrl}/api/v1/namespaces/${namespace}`), 60_000);
  return { ...running, address: `127.0.0.1:${port}`, uiUrl };
}

async function namespaceAnswers(url) {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2000) });
    return answer.ok ? true : null;
  } catch {
    return null; // not up yet
  }
}

import { endRunning } from './command.mjs';
import { isAlive, npmAncestor } from './processes.mjs';
import { say } from './report.mjs';

/**
 * A request to stop: SIGINT (Ctrl-C), SIGTERM, SIGHUP, or the end of the process that re-ran us on another
 * Node or of the npm that started us. The first one aborts `signal` and resolves `asked`; later ones change
 * nothing.
 */
export function stopRequest(host = process) {
  const controller = new AbortController();
  const asked = new Promise((resolve) =>
    controller.signal.addEventListener('abort', resolve, { once: true }),
  );
  const ask = () => {
    controller.abort(new Error('asked to stop'));
    endRunning();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) host.on(signal, ask);
  host.on('disconnect', ask);
  host.channel?.unref(); // listening to it must not keep us alive
  host.stdout.on('error', () => undefined); // a closed terminal must not keep us from stopping in order
  if (host.env.npm_lifecycle_event !== undefined) void watchNpm(ask);
  return { signal: controller.signal, asked };
}

/** npm forwards signals, but a killed npm would otherwise go unnoticed. */
async function watchNpm(ask) {
  const npm = await npmAncestor();
  if (npm === null) return;
  const timer = setInterval(() => {
    if (isAlive(npm)) return;
    clearInterval(timer);
    say('npm has ended: stopping');
    ask();
  }, 1000).unref();
}

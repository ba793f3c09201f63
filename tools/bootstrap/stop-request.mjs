import { endRunning } from './command.mjs';
import { say } from './report.mjs';

/**
 * The person's wish to stop: SIGINT (Ctrl-C), SIGTERM, SIGHUP, the end of the process that re-ran us on another Node,
 * or of the npm that started us. `signal` is aborted and `asked` resolves once; later wishes change nothing.
 */
export function stopRequest(host = process) {
  const controller = new AbortController();
  const asked = new Promise((resolve) => controller.signal.addEventListener('abort', resolve, { once: true }));
  const ask = () => {
    controller.abort(new Error('asked to stop'));
    endRunning();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) host.on(signal, ask);
  host.on('disconnect', ask);
  host.channel?.unref(); // listening to it must not keep us alive
  host.stdout.on('error', () => undefined); // a closed terminal must not keep us from stopping in order
  if (host.env.npm_lifecycle_event !== undefined) watchParent(host, ask);
  return { signal: controller.signal, asked };
}

function watchParent(host, ask) {
  const parent = host.ppid;
  const timer = setInterval(() => {
    if (host.ppid === parent) return;
    clearInterval(timer);
    say('npm is gone: stopping');
    ask();
  }, 1000).unref();
}

import { createServer } from 'node:net';
import { StepError } from './report.mjs';

/** Whether a TCP port of this machine is free. */
export function isPortFree(port, host = '127.0.0.1') {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** A free port, chosen by the system. */
export function anyFreePort(host = '127.0.0.1') {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port: 0, host }, () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/**
 * Chooses a port: the one set by `variable` (a busy one is an error that names the variable), else the
 * preferred one, else the next free one. `taken` holds reserved ports. Answers `{ port, note }`; the note is
 * for people.
 */
export async function choosePort({
  what,
  preferred,
  variable,
  fixed,
  taken = new Set(),
  isFree = isPortFree,
}) {
  if (fixed !== undefined && fixed !== '') {
    const port = Number(fixed);
    if (!Number.isInteger(port) || port < 1 || port > 65535)
      throw new StepError(
        `${variable}=${fixed} is not a valid port`,
        `set ${variable} to a number from 1 to 65535, or unset it`,
      );
    if (!(await isFree(port)))
      throw new StepError(
        `Port ${port} (${variable}, ${what}) is busy`,
        `stop the process that uses it, set ${variable} to another port, or unset it`,
      );
    taken.add(port);
    return { port, note: null };
  }
  for (let port = preferred; port < preferred + 100; port += 1) {
    if (!taken.has(port) && (await isFree(port))) {
      taken.add(port);
      return { port, note: port === preferred ? null : `Port ${preferred} is busy: ${what} is on ${port}` };
    }
  }
  throw new StepError(
    `There is no free port from ${preferred} to ${preferred + 99} for ${what}`,
    `set ${variable ?? 'another port'}`,
  );
}

import { chmodSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { folder, root } from './project.mjs';
import { failureOf, isDiskFull, step } from './report.mjs';
import { pause } from './servers.mjs';

/** A download that receives no byte for this long is aborted. */
const silenceMs = 12_000;

/** Whether the host of the download answers. Behind a proxy, only the SDK's own attempt can tell. */
export async function canDownloadTemporal(url = 'https://temporal.download/') {
  try {
    await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(3000) });
    return true;
  } catch {
    return false; // no name, no route or no answer
  }
}

/**
 * Lets the Temporal SDK download its dev server into `target`. Answers false if that fails (no internet
 * access); the caller then builds one.
 */
export async function downloadTemporal(target) {
  return step(
    { title: 'No Temporal server on the PATH: downloading one with the SDK', about: '0:15' },
    async () => {
      const home = folder(`${target}-download`);
      try {
        const output = await fetchWhileItMoves(home);
        const program = readdirSync(home).find(
          (each) => each.startsWith('temporal-') && !each.includes('downloading'),
        );
        if (program === undefined && isDiskFull(output))
          throw failureOf('the Temporal server could not be downloaded', undefined, output);
        if (program === undefined) return false;
        chmodSync(join(home, program), 0o755);
        renameSync(join(home, program), target);
        return true;
      } finally {
        rmSync(home, { recursive: true, force: true });
      }
    },
  );
}

/**
 * Runs the SDK in a separate process, which is ended when it makes no progress for too long. Answers the output of its
 * errors.
 */
async function fetchWhileItMoves(home) {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('temporal-fetch.mjs', import.meta.url)), home],
    { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const chunks = [];
  child.stderr.setEncoding('utf8').on('data', (chunk) => chunks.push(chunk));
  const life = { ended: false };
  for (const event of ['exit', 'error']) child.once(event, () => (life.ended = true));
  for (let silent = 0, size = 0; !life.ended && silent < silenceMs; silent += 200) {
    await pause(200);
    const now = readdirSync(home).reduce((sum, each) => sum + statSync(join(home, each)).size, 0);
    if (now > size) silent = 0;
    size = now;
  }
  if (!life.ended) child.kill('SIGKILL');
  return chunks.join('');
}

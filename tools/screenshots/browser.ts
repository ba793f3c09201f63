import { chromium, type Browser } from 'playwright-core';
import { which } from '../bootstrap/command.mjs';

/**
 * The machine's Chromium without background requests: CHROMIUM, else the first on the PATH. The shell without a window
 * draws the same pages and starts in a fifth of the processor time. Its microphone beeps once a second and needs no
 * permission.
 */
export function launchBrowser(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? which('chromium-headless-shell') ?? which('chromium');
  if (executablePath === null)
    throw new Error(
      'There is no Chromium on the PATH: install the package chromium-headless-shell or chromium, or set CHROMIUM to the path of a Chromium or Chrome',
    );
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      // A name that is not localhost, for pages without TLS.
      '--host-resolver-rules=MAP parlance.test 127.0.0.1',
    ],
  });
}

import { execFileSync } from 'node:child_process';
import { chromium, type Browser } from 'playwright-core';

/**
 * The machine's Chromium (on the PATH, or CHROMIUM), without background requests. `program` starts it instead, and
 * finds its path in CHROMIUM.
 */
export function launchBrowser(program?: string): Promise<Browser> {
  const path = process.env['CHROMIUM'] ?? findChromium();
  return chromium.launch({
    executablePath: program ?? path,
    env: { ...process.env, CHROMIUM: path },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

function findChromium(): string {
  try {
    return execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
  } catch (cause) {
    throw new Error(
      'There is no chromium on the PATH: install the package chromium, or set CHROMIUM to the path of a Chromium or Chrome',
      { cause },
    );
  }
}

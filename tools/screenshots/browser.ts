import { execFileSync } from 'node:child_process';
import { chromium, type Browser } from 'playwright-core';

/** The machine's Chromium (on the PATH, or CHROMIUM), without background requests. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? findChromium(),
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

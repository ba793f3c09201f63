import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The built page of the console, ready for requests. */
export interface ConsolePage {
  /** HTML for one request. Styles that libraries add need its nonce. */
  render: () => { html: string; nonce: string };
}

/** What the build writes in the place of a request's nonce (`console/vite.config.ts`). */
const noncePlace = 'PARLANCE_NONCE';

/** Reads the page from the folder of the build; null if the console has not been built. */
export function readConsolePage({
  folder,
  publicUrl,
}: {
  folder: string;
  publicUrl: string;
}): ConsolePage | null {
  const root = new URL(publicUrl).pathname.replace(/\/$/, '');
  const file = join(folder, 'index.html');
  if (!existsSync(file)) return null;
  const html = readFileSync(file, 'utf8')
    .replaceAll(/(src|href)="\.\//g, `$1="${root}/`)
    .replace('data-root=""', `data-root="${root}"`);
  return {
    render() {
      const nonce = randomBytes(16).toString('base64');
      return { html: html.replaceAll(noncePlace, nonce), nonce };
    },
  };
}

/**
 * The content security policy of the console. It calls this API, the media hosts of browser calls and the
 * bucket of recordings, and nothing else.
 */
export function consolePolicy({
  nonce,
  streams,
  bucket,
}: {
  nonce: string;
  /** Origins of media hosts. */
  streams: readonly string[];
  /** Origin of the file storage, if browsers fetch files there. */
  bucket: string | undefined;
}): string {
  const files = bucket === undefined ? [] : [bucket];
  // guarantee: console-loads-no-other-host
  const directives: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'", `'nonce-${nonce}'`],
    'img-src': ["'self'", 'data:', 'blob:'],
    'font-src': ["'self'"],
    'media-src': ["'self'", 'blob:', ...files],
    'connect-src': ["'self'", ...files, ...streams],
    'worker-src': ["'self'"],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
    'require-trusted-types-for': ["'script'"],
  };
  return Object.entries(directives)
    .map(([name, values]) => `${name} ${values.join(' ')}`)
    .join('; ');
}

/** What `/` shows when the console has not been built. */
export const notBuiltPage = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Parlance</title>
<h1>The console is not built</h1>
<p>Run <code>npm run console:build</code> and start the API again. The API itself works: see <a href="api/v1/docs">its reference</a>.</p>
</html>
`;

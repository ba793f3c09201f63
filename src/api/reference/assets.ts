import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';

/** A file of the reference page. */
export interface Asset {
  bytes: Buffer;
  mediaType: string;
  /** Changes with the content, so that browsers may cache the file forever. */
  digest: string;
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.png': 'image/png',
};

const swaggerUi = createRequire(import.meta.url)
  .resolve('swagger-ui-dist/package.json')
  .replace(/package\.json$/, '');

/** All files of the page by name: those of the Swagger UI package, and our own. */
const sources = {
  'swagger-ui-bundle.js': swaggerUi,
  'swagger-ui.css': swaggerUi,
  'favicon-32x32.png': swaggerUi,
  'initialize.js': import.meta.dirname,
  'theme.css': import.meta.dirname,
};

export type AssetName = keyof typeof sources;

/** Reads all files of the page. Throws if one is missing, because the installation is incomplete. */
export const readAssets = (): ReadonlyMap<string, Asset> =>
  new Map(Object.entries(sources).map(([name, folder]) => [name, readAsset(join(folder, name))]));

function readAsset(path: string): Asset {
  const bytes = readFileSync(path);
  return {
    bytes,
    mediaType: mediaTypes[extname(path)] ?? 'application/octet-stream',
    digest: createHash('sha256').update(bytes).digest('hex').slice(0, 16),
  };
}

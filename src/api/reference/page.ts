import { apiPrefix } from '../../contract/paths.ts';
import type { Asset, AssetName } from './assets.ts';

/**
 * The content security policy of the page: it loads from and calls only this installation. Swagger UI needs
 * style attributes and icons from `data:` URLs, but no inline scripts.
 */
// guarantee: reference-page-loads-no-other-host
export const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Renders the page. All its URLs begin with the path of the public URL (`/` unless a proxy adds one). */
export function renderPage({
  publicUrl,
  assets,
}: {
  publicUrl: string;
  assets: ReadonlyMap<string, Asset>;
}): string {
  const root = new URL(publicUrl).pathname.replace(/\/$/, '');
  const address = (name: AssetName) => `${root}${apiPrefix}/docs/${name}?v=${assets.get(name)?.digest ?? ''}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parlance API</title>
<link rel="icon" type="image/png" href="${address('favicon-32x32.png')}">
<link rel="stylesheet" href="${address('swagger-ui.css')}">
<link rel="stylesheet" href="${address('theme.css')}">
</head>
<body>
<nav id="sections" aria-label="Sections"></nav>
<main id="reference" data-root="${root}" data-description="${root}${apiPrefix}/openapi.json"></main>
<noscript>This page needs JavaScript. The description itself is at <a href="${root}${apiPrefix}/openapi.json">openapi.json</a>.</noscript>
<script src="${address('swagger-ui-bundle.js')}"></script>
<script type="module" src="${address('initialize.js')}"></script>
</body>
</html>
`;
}

import { NotFoundError } from '../../domain/errors.ts';
import type { Handlers } from '../bind.ts';
import { readAssets } from '../reference/assets.ts';
import { pagePolicy, renderPage } from '../reference/page.ts';
import { fileReply } from '../answers/reply.ts';

export interface ReferenceRouteDeps {
  /** Base URL under which customers reach this installation. */
  publicUrl: string;
}

/** The API reference as a page that loads nothing from other sites. */
export function referenceHandlers<Caller>({
  publicUrl,
}: ReferenceRouteDeps): Pick<Handlers<Caller>, 'getReference' | 'getReferenceAsset'> {
  const assets = readAssets();
  const page = Buffer.from(renderPage({ publicUrl, assets }));
  return {
    getReference: () =>
      Promise.resolve(
        fileReply('text/html; charset=utf-8', page, {
          'Content-Security-Policy': pagePolicy,
          'Cache-Control': 'no-cache',
        }),
      ),
    getReferenceAsset: ({ input: { params } }) => {
      const asset = assets.get(params.file);
      if (asset === undefined) return Promise.reject(new NotFoundError('Not Found'));
      return Promise.resolve(
        fileReply(asset.mediaType, asset.bytes, { 'Cache-Control': 'public, max-age=31536000, immutable' }),
      );
    },
  };
}

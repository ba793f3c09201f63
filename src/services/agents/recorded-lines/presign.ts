import type { RecordingUploads } from '../../../contract/recordings.ts';
import { grantLineUpload, type AnnouncedFile, type ServiceContext } from '../../kernel/index.ts';
import type { RecordingDeps } from './deps.ts';

const nameLength = 12;

/**
 * Grants uploads of recorded lines, each with an unused name (contract 15.2). Throws UnavailableError without
 * a storage.
 */
export async function presignRecordings({
  ctx,
  deps,
  files,
}: {
  ctx: ServiceContext;
  deps: RecordingDeps;
  files: readonly AnnouncedFile[];
}): Promise<RecordingUploads> {
  const items: RecordingUploads['items'] = [];
  for (const file of files) {
    const { url, key } = await grantLineUpload({ ctx, storage: deps.storage, file });
    items.push({
      upload_url: url,
      recording_id: ctx.ids.uuid().replaceAll('-', '').slice(0, nameLength),
      storage_key: key,
    });
  }
  return { items };
}

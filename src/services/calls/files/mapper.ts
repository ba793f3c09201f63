import type { FileMetadata } from '../../../contract/files.ts';
import type { FileFacts } from '../../../providers/storage/port.ts';
import { wireTimestamp } from '../../kernel/index.ts';

/** Contract 6.9. */
export function toFileMetadata({
  key,
  facts,
  backend,
}: {
  key: string;
  facts: FileFacts;
  backend: string;
}): FileMetadata {
  return {
    key,
    metadata: {
      size: facts.bytes,
      content_type: facts.mediaType,
      last_modified: wireTimestamp(facts.modifiedAt),
      storage_backend: backend,
    },
  };
}

import type { AmbientNoiseUpload, FileMetadata, PresignedUpload } from '../../../contract/files.ts';
import type { FileFacts } from '../../../providers/storage/port.ts';
import { wireMoment } from '../../kernel/index.ts';
import type { GrantedUpload } from '../../kernel/index.ts';

/** Contract 11.1. */
export function toPresignedUpload({ url, key, lifetimeSeconds }: GrantedUpload): PresignedUpload {
  return { upload_url: url, file_key: key, expires_in: lifetimeSeconds };
}

/** Contract 1.4. */
export function toAmbientNoiseUpload({ url, key, backend }: GrantedUpload): AmbientNoiseUpload {
  return { upload_url: url, storage_key: key, storage_backend: backend };
}

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
      last_modified: wireMoment(facts.modifiedAt),
      storage_backend: backend,
    },
  };
}

import type { PresignedUpload } from '../../../contract/files.ts';
import type { GrantedUpload } from './presign.ts';

/** Contract 11.1. */
export function toPresignedUpload({ url, key, lifetimeSeconds }: GrantedUpload): PresignedUpload {
  return { upload_url: url, file_key: key, expires_in: lifetimeSeconds };
}

import type { AmbientNoiseUpload } from '../../contract/files.ts';
import { grantUpload, type GrantedUpload, type Presigning } from '../kernel/index.ts';
import { findAgent } from './internal.ts';

/**
 * Grants the upload of a background sound for an agent (contract 1.4). Throws NotFoundError; UnavailableError
 * without a storage.
 */
export async function presignAmbientNoise({
  agentId,
  ...presigning
}: Presigning & { agentId: number }): Promise<AmbientNoiseUpload> {
  await findAgent(presigning.ctx.db.manager, presigning.ctx, agentId);
  return toAmbientNoiseUpload(await grantUpload(presigning, 'ambient_noise'));
}

/** Contract 1.4. */
function toAmbientNoiseUpload({ url, key, backend }: GrantedUpload): AmbientNoiseUpload {
  return { upload_url: url, storage_key: key, storage_backend: backend };
}

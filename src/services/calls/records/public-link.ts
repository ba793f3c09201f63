import { apiPrefix } from '../../../contract/paths.ts';

/** What of a call can be downloaded by its public token. */
export type PublicArtifact = 'transcript' | 'recording' | 'user_recording' | 'bot_recording';

/** Link that needs no credentials (contract 6.9). */
export function publicLink({
  publicUrl,
  token,
  artifact,
}: {
  publicUrl: string;
  token: string;
  artifact: PublicArtifact;
}): string {
  return `${publicUrl}${apiPrefix}/public/download/workflow/${token}/${artifact}`;
}

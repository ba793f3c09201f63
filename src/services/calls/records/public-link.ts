import { apiPrefix } from '../../../contract/paths.ts';

/** The artifacts of a call that its public token downloads. */
export type PublicArtifact = 'transcript' | 'recording' | 'user_recording' | 'bot_recording';

/** A link that needs no credentials (contract 6.9). */
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

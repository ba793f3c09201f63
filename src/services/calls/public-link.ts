import { apiPrefix } from '../../contract/paths.ts';

/** Link that needs no credentials (contract 6.9). */
export function publicLink({ publicUrl, token, artifact }: { publicUrl: string; token: string; artifact: 'transcript' }): string {
  return `${publicUrl}${apiPrefix}/public/download/workflow/${token}/${artifact}`;
}

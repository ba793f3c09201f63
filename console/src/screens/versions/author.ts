import type { ListedVersion } from '../../../../src/contract/agents.ts';
import { t } from '../../app/words.ts';

/** The words for who made a version; a dash if nobody knows. */
export function authorOf(version: Pick<ListedVersion, 'author'>): string {
  const { author } = version;
  if (author === null) return '–';
  if (author.type === 'system') return t('versions.system');
  return author.type === 'api_key' ? t('versions.apiKey', { name: author.name ?? '' }) : (author.name ?? '–');
}

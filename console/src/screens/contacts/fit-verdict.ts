import type { DirectoryFit } from '../../../../src/contract/directories.ts';

/** Whether the columns fill what an agent says: a campaign is refused while variables are missing. */
export function verdictOf({
  missing,
  warnings,
}: Pick<DirectoryFit, 'missing' | 'warnings'>): 'fits' | 'missing' | 'warns' {
  if (missing.length > 0) return 'missing';
  return warnings.length > 0 ? 'warns' : 'fits';
}

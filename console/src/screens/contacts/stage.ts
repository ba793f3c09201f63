import type { Directory } from '../../../../src/contract/directories.ts';

/** How far a directory is: what a person has to do, or what the service does. */
export type Stage = 'choose_phone' | 'confirm_encoding' | 'to_check' | 'checking' | 'checked' | 'failed';

/** Where a directory stands. A guessed encoding can be checked, and must be confirmed before a campaign. */
export function stageOf({
  state,
  mapping,
  reading,
}: Pick<Directory, 'state' | 'mapping' | 'reading'>): Stage {
  switch (state) {
    case 'importing':
      return 'checking';
    case 'failed':
      return 'failed';
    case 'ready':
      return reading.is_guess ? 'confirm_encoding' : 'checked';
    case 'uploaded':
      if (mapping.phone === null) return 'choose_phone';
      return reading.is_guess ? 'confirm_encoding' : 'to_check';
  }
}

/** Rows that campaigns leave out. */
export const leftOut = ({ rows, ok }: { rows: number; ok: number }): number => rows - ok;

/** `1.2 MB` of bytes. */
export function sizeOf(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  const step = bytes < 1000 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[step] ?? ''}`;
}

/** The warnings of a preview beside that of a guessed encoding, which the page says in its own words. */
export const warningsBeside = (warnings: readonly string[], isGuess: boolean): string[] =>
  warnings.filter((each) => !isGuess || !each.includes('is a guess'));

import { readRecord } from './record.ts';
import type { Reading } from '../../domain/directory/reading.ts';

export type Separator = NonNullable<Reading['separator']>;

export const separators: readonly Separator[] = [',', ';', '\t', '|'];

const sampleLines = 50;

/**
 * The separators, the likeliest first: the one that splits most of the first lines, outside quotes, into the
 * same number of cells, the more the better. For a file of one column, the comma comes first.
 */
export function rankSeparators(lines: readonly string[]): Separator[] {
  const sample = lines.filter((line) => line.trim() !== '').slice(0, sampleLines);
  const scored = separators.map((separator) => ({
    separator,
    score: score(sample.map((line) => readRecord(line, separator).cells.length)),
  }));
  return scored.toSorted((one, other) => other.score - one.score).map(({ separator }) => separator);
}

/**
 * The share of lines with the most common number of cells, plus a little for each cell; 0 if that number is
 * one.
 */
function score(counts: readonly number[]): number {
  const frequency = new Map<number, number>();
  for (const count of counts) if (count > 1) frequency.set(count, (frequency.get(count) ?? 0) + 1);
  const [usual, lines] = [...frequency].toSorted(
    (one, other) => other[1] - one[1] || other[0] - one[0],
  )[0] ?? [1, 0];
  return usual === 1 ? 0 : lines / counts.length + Math.min(usual, 50) / 100;
}

/** The separator of a first line that spreadsheet programs write and read: `sep=;`. */
export function declaredSeparator(firstLine: string): Separator | null {
  const [, declared] = /^sep=(.)\s*$/i.exec(firstLine) ?? [];
  return separators.find((separator) => separator === declared) ?? null;
}

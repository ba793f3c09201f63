import { counted } from '../../domain/counted.ts';
import type { ImportInput, ImportResult } from './messages.ts';

/** What Temporal UI shows of an import: ids and counts; nothing from the file, not even its name. */

export function staticSummary({ directoryId, importNumber }: ImportInput): string {
  return `Directory ${directoryId} · import ${importNumber}`;
}

export function staticDetails({
  directoryId,
  directoryUuid,
  organizationUuid,
  importNumber,
}: ImportInput): string {
  return [
    '| | |',
    '|---|---|',
    `| Directory | ${directoryId} (${directoryUuid}) |`,
    `| Import | ${importNumber} |`,
    `| Organization | ${organizationUuid} |`,
  ].join('\n');
}

export interface ImportProgress {
  rows: number;
  ok: number;
  /** Share of the file that was read, 0 to 100. */
  percent: number;
}

export function progressDetails({ rows, ok, percent }: ImportProgress): string {
  return `**Reading**: ${counted(rows, 'row')} so far, ${ok} of them can be called; ${percent} % of the file.`;
}

export function endDetails({ state, rows, ok }: ImportResult): string {
  switch (state) {
    case 'ready':
      return `**Ready**: ${counted(rows, 'row')}, ${ok} of them can be called.`;
    case 'failed':
      return '**Failed**: the directory says why.';
    case 'canceled':
      return '**Canceled**.';
    case 'superseded':
      return '**Nothing to do**: the directory was deleted, or has another import.';
  }
}

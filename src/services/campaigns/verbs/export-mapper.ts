import { failedReason } from '../../../domain/campaign/failed-words.ts';
import { wordsOf } from '../../../domain/directory/words-of.ts';
import { own, ownObject } from '../../../domain/graph/definition.ts';
import { cellText, toWorkflowRun } from '../../calls/index.ts';
import { wireTimestamp } from '../../kernel/index.ts';
import type { ExportedRow } from './export-batches.ts';
import { wireTargetState } from './mapper.ts';

/** What the columns of an export depend on. */
export interface ExportShape {
  /** Of the file. */
  columns: readonly string[];
  /** Names of extracted values. */
  variables: readonly string[];
  publicUrl: string;
}

export function resultHeader({ columns, variables }: ExportShape): string[] {
  return [
    'Row',
    'Phone Number',
    'Customer ID',
    'State',
    'Outcome',
    'Reason',
    'Due At',
    'Spent Attempts',
    'Attempts',
    'Run ID',
    'Call Disposition',
    'Call Duration (s)',
    'Settled At',
    'Transcript URL',
    'Recording URL',
    ...columns,
    ...variables,
  ];
}

/** One line for `resultHeader`. Missing values are empty. */
export function toResultRow(
  { contact, target, call }: ExportedRow,
  { columns, variables, publicUrl }: ExportShape,
): string[] {
  const run = call === null ? null : toWorkflowRun(call, publicUrl);
  const extracted = call === null ? {} : ownObject(call.gatheredContext, 'extracted_variables');
  const place =
    target === null
      ? ['left_out', null, contact.state, null, null, null]
      : [
          wireTargetState[target.state],
          target.outcome,
          target.waitReason,
          target.dueAt === null ? null : wireTimestamp(target.dueAt),
          target.spentAttempts,
          target.attempts,
        ];
  const last = [
    run?.id,
    run?.disposition,
    run?.call_duration_seconds,
    target?.settledAt == null ? null : wireTimestamp(target.settledAt),
    run?.transcript_public_url,
    run?.recording_public_url,
  ];
  return [
    contact.rowNumber,
    contact.phone,
    contact.identifier,
    ...place,
    ...last,
    ...columns.map((_name, index) => contact.cells[index]),
    ...variables.map((name) => own(extracted, name)),
  ].map(cellText);
}

export function errorHeader({ columns }: ExportShape): string[] {
  return [
    'Row',
    'Phone Number',
    'Customer ID',
    'State',
    'Code',
    'Column',
    'Message',
    'Suggestion',
    ...columns,
  ];
}

/** One line for each fault of a row, or for why its calls have ended; none for a row without faults. */
export function toErrorRows({ contact, target }: ExportedRow, { columns }: ExportShape): string[][] {
  const line = (...cells: unknown[]) =>
    [
      contact.rowNumber,
      contact.phone,
      contact.identifier,
      ...cells,
      ...columns.map((_name, index) => contact.cells[index]),
    ].map(cellText);
  if (target !== null) {
    if (target.state !== 'failed') return [];
    const { code, message } = failedReason(target);
    return [line('failed', code, null, message, null)];
  }
  if (contact.state === 'ok') return [];
  const errors = (contact.findings ?? []).filter(({ level }) => level === 'error');
  if (errors.length === 0) return [line('left_out', contact.state, null, null, null)];
  return errors.map((finding) => {
    const { message, suggestion } = wordsOf(finding);
    return line('left_out', finding.code, finding.column, message, suggestion);
  });
}

import type { ScenarioName } from './options.ts';
import { quantile } from './statistics.ts';

/** The result of a scenario. */
export interface Section {
  id: ScenarioName;
  title: string;
  /** How it was measured: counts, pace, subtracted times. One paragraph each. */
  method: string[];
  tables: Table[];
  targets: Target[];
}

export interface Table {
  columns: string[];
  rows: string[][];
}

/** A target that the figures are compared with. A missed target is reported and fails nothing. */
export interface Target {
  what: string;
  /** The limit, e.g. "≤ 50 ms". */
  wanted: string;
  measured: string;
  isMet: boolean;
}

/** Names and values of facts that the figures depend on, one per line. */
export type Facts = readonly (readonly [string, string])[];

/** The whole report. */
export function renderReport(facts: Facts, sections: readonly Section[]): string {
  return (
    [
      `# Benchmark report`,
      renderFacts(facts),
      ...sections.map((each) => `## ${each.title}\n\n${renderSection(each)}`),
    ].join('\n\n') + '\n'
  );
}

export function renderFacts(facts: Facts): string {
  return renderTable({ columns: ['Measured on', ''], rows: facts.map((each) => [...each]) });
}

/** One scenario without its heading. */
export function renderSection({ method, tables, targets }: Section): string {
  const verdicts = {
    columns: ['Target', 'Wanted', 'Measured', ''],
    rows: targets.map(({ what, wanted, measured, isMet }) => [
      what,
      wanted,
      measured,
      isMet ? 'met' : '**not met**',
    ]),
  };
  return [
    ...method,
    ...tables.map(renderTable),
    ...(targets.length === 0 ? [] : [renderTable(verdicts)]),
  ].join('\n\n');
}

/**
 * Replaces the text between `<!-- bench:<id> -->` and `<!-- /bench:<id> -->`. Throws when the document has no
 * such block.
 */
export function replaceBlock(document: string, id: string, content: string): string {
  const [begin, end] = [`<!-- bench:${id} -->`, `<!-- /bench:${id} -->`];
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`The document has no block from ${begin} to ${end}`);
  return `${document.slice(0, from + begin.length)}\n\n${content}\n\n${document.slice(to)}`;
}

/** Formats a number with about three digits: 0.42, 4.20, 42.1, 4,205. Whole numbers stay unchanged. */
export function figure(value: number): string {
  const size = Math.abs(value);
  const digits = size >= 100 || Number.isInteger(value) ? 0 : size >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { maximumFractionDigits: digits, minimumFractionDigits: digits });
}

/** Several quantiles of values in one cell: `12.0 / 30.5`. Dashes without values. */
export function quantiles(values: readonly number[], ...shares: number[]): string {
  return shares.map((share) => (values.length === 0 ? '–' : figure(quantile(values, share)))).join(' / ');
}

function renderTable({ columns, rows }: Table): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((each) => each.replaceAll('|', '\\|')).join(' | ')} |`;
  return [
    line(columns),
    line(columns.map((_, index) => (index === 0 ? '---' : '--:'))),
    ...rows.map(line),
  ].join('\n');
}

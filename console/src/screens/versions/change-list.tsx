import { type KeyboardEvent, useMemo, useRef } from 'react';
import { t } from '../../app/words.ts';
import { cx } from '../../parts/cx.ts';
import { settingText } from '../editor/setting-words.ts';
import { type Change, compareVersions, type Content } from './compare.ts';
import { type Picture, pictureOf } from './picture.ts';
import { type Sentence, sentencesOf } from './sentences.ts';

/** A sentence of the list of changes. */
export interface Row {
  key: string;
  change: Change;
  sentence: Sentence;
}

/** What differs between two versions: as sentences, and as one graph. */
export interface Comparison {
  changes: readonly Change[];
  /** Without what has only moved, which changes no call. */
  rows: readonly Row[];
  picture: Picture;
  /** What changed in a node, in a line. */
  lines: ReadonlyMap<string, string>;
}

export function useComparison(before: Content, after: Content): Comparison {
  return useMemo(() => {
    const changes = compareVersions(before, after);
    const rows = changes
      .filter(({ kind }) => kind !== 'moved')
      .flatMap((change) =>
        sentencesOf(change, settingText).map((sentence, index): Row => ({
          key: `${change.of} ${change.id} ${index}`,
          change,
          sentence,
        })),
      );
    return { changes, rows, picture: pictureOf(before, after, changes), lines: linesOf(rows) };
  }, [before, after]);
}

/** The element of the graph that a row is about, as the canvas names it. */
export const elementOf = (row: Row | undefined): string | null =>
  row === undefined ? null : `${row.change.of} ${row.change.id}`;

/** The first sentence of each node without its name, for the node itself. */
function linesOf(rows: readonly Row[]): Map<string, string> {
  const lines = new Map<string, string>();
  for (const { change, sentence } of rows.toReversed()) {
    if (change.of !== 'node') continue;
    const words = t(sentence.id, { ...sentence.values, name: '' }).replace(/<b><\/b>\s*/, '');
    lines.set(change.id, words.charAt(0).toUpperCase() + words.slice(1));
  }
  return lines;
}

/** The changes in sentences, one of them chosen. Tab comes to the chosen one, arrows go to the others. */
export function ChangeList({
  rows,
  at,
  onChoose,
}: {
  rows: readonly Row[];
  at: number;
  onChoose: (index: number) => void;
}) {
  const list = useRef<HTMLOListElement>(null);
  const onKey = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = at + (by ?? 0);
    if (by === undefined || rows[next] === undefined) return;
    event.preventDefault();
    onChoose(next);
    list.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <ol className="change-list" ref={list}>
      {rows.map(({ key, change, sentence }, index) => (
        <li key={key}>
          <button
            type="button"
            aria-current={index === at}
            tabIndex={index === at ? 0 : -1}
            onClick={() => onChoose(index)}
            onKeyDown={onKey}
          >
            <span className={cx('sign', `is-${change.kind}`)} aria-hidden>
              {change.kind === 'added' ? '+' : change.kind === 'removed' ? '–' : '~'}
            </span>
            <span>
              <Rich text={t(sentence.id, sentence.values)} />
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}

/** A sentence of the catalog whose first part is bold. */
function Rich({ text }: { text: string }) {
  const [, bold, rest] = /^<b>([\s\S]*?)<\/b>([\s\S]*)$/.exec(text) ?? [null, '', text];
  return (
    <>
      <b>{bold}</b>
      {rest}
    </>
  );
}

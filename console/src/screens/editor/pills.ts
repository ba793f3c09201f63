import { type EditorState, type Range, StateEffect, StateField, type Transaction } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';

const placeholderPattern = /\{\{\s*([^\s|}]+)\s*(?:\|([^}]*))?\}\}/g;

/** Another set of variables is faulty now. */
export const markedAnew = StateEffect.define();

/**
 * Variables are pills; their braces appear while the caret is inside. A change builds anew only the pills that it
 * or the caret touches, so that a long text with many of them stays quick to type in.
 */
export function pills(isFaulty: (name: string) => boolean): StateField<DecorationSet> {
  const build = (state: EditorState, { from, to }: Span): Range<Decoration>[] =>
    [...state.sliceDoc(from, to).matchAll(placeholderPattern)].flatMap((match) => {
      const start = from + match.index;
      const end = start + match[0].length;
      const look = `var${match[2] === undefined && isFaulty(match[1] ?? '') ? ' squig' : ''}`;
      const isInside = state.selection.ranges.some((range) => range.from <= end && range.to >= start);
      return [
        Decoration.mark({ class: look }).range(start, end),
        ...(isInside
          ? []
          : [Decoration.replace({}).range(start, start + 2), Decoration.replace({}).range(end - 2, end)]),
      ];
    });
  const whole = (state: EditorState) => Decoration.set(build(state, { from: 0, to: state.doc.length }), true);
  return StateField.define<DecorationSet>({
    create: whole,
    update: (before, change) => {
      if (change.effects.some((effect) => effect.is(markedAnew))) return whole(change.state);
      if (!change.docChanged && change.selection === undefined) return before;
      return spansOf(change).reduce(
        (set, { from, to }) =>
          set.update({
            filterFrom: from,
            filterTo: to,
            filter: (start, end) => end <= from || start >= to,
            add: build(change.state, { from, to }),
            sort: true,
          }),
        before.map(change.changes),
      );
    },
    provide: (field) => EditorView.decorations.from(field),
  });
}

/** The variable at a place of the text. */
export function pillAt(state: EditorState, at: number): (Span & { text: string; name: string }) | null {
  const { from, to } = around(state.doc.toString(), { from: at, to: at });
  for (const match of state.sliceDoc(from, to).matchAll(placeholderPattern)) {
    const start = from + match.index;
    const end = start + match[0].length;
    if (at >= start && at <= end) return { from: start, to: end, text: match[0], name: match[1] ?? '' };
  }
  return null;
}

interface Span {
  from: number;
  to: number;
}

/** Parts of the text that may look different after a change, without overlaps. */
function spansOf({ state, startState, changes }: Transaction): Span[] {
  const touched: Span[] = [];
  changes.iterChangedRanges((_fromBefore, _toBefore, from, to) => touched.push({ from, to }));
  for (const { from, to } of startState.selection.ranges)
    touched.push({ from: changes.mapPos(from, -1), to: changes.mapPos(to, 1) });
  touched.push(...state.selection.ranges.map(({ from, to }) => ({ from, to })));
  const text = state.doc.toString();
  const spans = touched.map((span) => around(text, span)).toSorted((a, b) => a.from - b.from);
  return spans.reduce<Span[]>((joined, span) => {
    const last = joined.at(-1);
    if (last === undefined || span.from > last.to) return [...joined, span];
    return [...joined.slice(0, -1), { from: last.from, to: Math.max(last.to, span.to) }];
  }, []);
}

/**
 * A part of the text that no variable reaches out of. A variable has braces that close only at its end, so that it
 * lies between the end of the closing braces before it and the end of the next ones.
 */
function around(text: string, { from, to }: Span): Span {
  let start = from;
  while (text[start - 1] === '}') start -= 1;
  start = start === 0 ? 0 : text.lastIndexOf('}', start - 1) + 1;
  const closing = text.indexOf('}', to);
  let end = closing === -1 ? text.length : closing;
  while (text[end] === '}') end += 1;
  return { from: start, to: end };
}

import { EditorState } from '@codemirror/state';
import { describe, expect, test } from '@jest/globals';
import { array, assert, constantFrom, nat, oneof, property, record } from 'fast-check';
import { pillAt, pills } from '../../../console/src/screens/editor/pills.ts';

const text = array(constantFrom('{{', '}}', '{', '}', '|', 'day', ' ', '\n'), { maxLength: 30 }).map(
  (parts) => parts.join(''),
);

/** The marks of a text, and how many variables were looked at to make them. */
function stand(doc: string) {
  let built = 0;
  const field = pills((name) => {
    built += 1;
    return name === 'day';
  });
  const state = EditorState.create({ doc, extensions: field });
  const marksOf = (from: EditorState): unknown[] => {
    const marks: unknown[] = [];
    from.field(field).between(0, from.doc.length, (start, end, { spec }) => {
      marks.push([start, end, spec]);
    });
    return marks;
  };
  return { state, marksOf, built: () => built };
}

describe('variables of a prompt', () => {
  test('look the same after any changes and moves of the caret as in a text that was opened so', () => {
    const step = record({ from: nat(), to: nat(), insert: oneof(text, constantFrom(null)), caret: nat() });
    assert(
      property(text, array(step, { maxLength: 8 }), (doc, steps) => {
        const { state: first, marksOf } = stand(doc);
        const last = steps.reduce((state, { from, to, insert, caret }) => {
          const [start, end] = [from, to].map((at) => at % (state.doc.length + 1)).toSorted((a, b) => a - b);
          const changes = state.changes(insert === null ? [] : { from: start ?? 0, to: end ?? 0, insert });
          const anchor = caret % (changes.newLength + 1);
          return state.update({ changes, selection: { anchor } }).state;
        }, first);
        const opened = EditorState.create({ doc: last.doc, selection: last.selection });
        const fresh = stand(opened.doc.toString());
        const moved = fresh.state.update({ selection: last.selection }).state;
        expect(marksOf(last)).toEqual(fresh.marksOf(moved));
      }),
    );
  });

  test('are made anew only where something is typed, however many there are', () => {
    const { state, built } = stand('Tell {{name}} about {{day}}. '.repeat(2_000));
    const before = built();
    const typed = state.update({
      changes: { from: 30_005, insert: 'x' },
      selection: { anchor: 30_006 },
    }).state;
    expect(typed.doc.length).toBe(state.doc.length + 1);
    expect(built() - before).toBeLessThan(6);
  });

  test('are found at each of their letters', () => {
    const { state } = stand('Hi {{name | you}}, {{day}}');
    expect([0, 2, 3, 10, 17, 18, 19, 26].map((at) => pillAt(state, at)?.name ?? null)).toEqual(
      'null null name name name null day day'.split(' ').map((name) => (name === 'null' ? null : name)),
    );
  });
});

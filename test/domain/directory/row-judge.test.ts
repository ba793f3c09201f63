import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { PhoneRows } from '../../../src/domain/directory/phone-rows.ts';
import { createRowJudge, type RowByItself } from '../../../src/domain/directory/row-judge.ts';

const row = fc
  .record({
    state: fc.constantFrom<RowByItself['state']>('ok', 'ok', 'ok', 'invalid', 'no_phone', 'do_not_call'),
    phone: fc.constantFrom('1', '2', '3'),
  })
  .map(({ state, phone }): RowByItself => ({ state, phone: state === 'no_phone' ? null : phone }));

/** The result of a whole file. Late refusals are taken back, as an import does. */
function judged(duplicates: 'first' | 'last' | 'all', rows: readonly RowByItself[]): string[] {
  const last = new PhoneRows();
  for (const [index, { state, phone }] of rows.entries())
    if (state === 'ok' && phone !== null) last.set(phone, index + 1);
  const judge = createRowJudge(duplicates, duplicates === 'last' ? last : undefined);
  const states = rows.map((each, index): string => judge.judge(each, index + 1).state);
  const forbidden = new Set(judge.forbiddenLater());
  return states.map((state, index) =>
    state === 'ok' && forbidden.has(rows[index]?.phone ?? '') ? 'do_not_call' : state,
  );
}

test.each(['first', 'last', 'all'] as const)(
  'by %s, of each number that no row forbids, exactly the rows that the rule names pass',
  (duplicates) => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 12 }), (rows) => {
        const states = judged(duplicates, rows);
        for (const phone of ['1', '2', '3']) {
          const good = rows.flatMap((each, index) =>
            each.state === 'ok' && each.phone === phone ? [index] : [],
          );
          const isForbidden = rows.some((each) => each.state === 'do_not_call' && each.phone === phone);
          const wanted = isForbidden
            ? []
            : { first: good.slice(0, 1), last: good.slice(-1), all: good }[duplicates];
          expect(good.filter((index) => states[index] === 'ok')).toEqual(wanted);
        }
      }),
    );
  },
);

test('a row that is left out because of another one names it', () => {
  const judge = createRowJudge('first');
  const ok = { state: 'ok', phone: '1' } as const;
  expect([
    judge.judge(ok, 4),
    judge.judge(ok, 9),
    judge.judge({ state: 'do_not_call', phone: '2' }, 10),
    judge.judge({ state: 'ok', phone: '2' }, 12),
  ]).toEqual([
    { state: 'ok', otherRow: null },
    { state: 'duplicate', otherRow: 4 },
    { state: 'do_not_call', otherRow: null },
    { state: 'do_not_call', otherRow: 10 },
  ]);
});

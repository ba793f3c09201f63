import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { initialCheckpoint, rewindTo } from '../../../src/domain/call/checkpoint.ts';
import type { ExtractionPoint } from '../../../src/domain/call/turn.ts';
import type { ExtractedValues } from '../../../src/domain/extraction/answer.ts';
import {
  type ExtractionResult,
  liveResults,
  mergeExtractions,
} from '../../../src/domain/extraction/merge.ts';

function result(
  visitIndex: number,
  point: ExtractionPoint,
  values: ExtractedValues,
  place: Partial<ExtractionResult> = {},
): ExtractionResult {
  return {
    nodeId: `n${visitIndex}`,
    visitIndex,
    point,
    throughTurnIndex: visitIndex,
    throughLine: 1,
    branch: 0,
    values,
    ...place,
  };
}

describe('merging (contract 8.2)', () => {
  test.each<[row: string, results: ExtractionResult[], expected: ExtractedValues]>([
    ['one object by name', [result(0, 'entry', { a: 1 }), result(1, 'entry', { b: 2 })], { a: 1, b: 2 }],
    [
      'a later node overwrites',
      [result(0, 'end', { a: 'old' }), result(1, 'entry', { a: 'new' })],
      { a: 'new' },
    ],
    [
      'a later visit of the same node overwrites',
      [result(0, 'leave', { a: 1 }), result(2, 'entry', { a: 2 })],
      { a: 2 },
    ],
    [
      'the extraction on leaving has more of the transcript and overwrites',
      [result(0, 'leave', { a: 2 }), result(0, 'entry', { a: 1 })],
      { a: 2 },
    ],
    ['the end comes after leaving', [result(0, 'end', { a: 3 }), result(0, 'leave', { a: 2 })], { a: 3 }],
    [
      'a null result does not erase',
      [result(0, 'entry', { a: 1 }), result(1, 'entry', { a: null })],
      { a: 1 },
    ],
    [
      'a blank result does not erase',
      [result(0, 'entry', { a: 'x' }), result(1, 'entry', { a: '  ' })],
      { a: 'x' },
    ],
    [
      '0 and false are values',
      [result(0, 'entry', { a: 1, b: true }), result(1, 'entry', { a: 0, b: false })],
      { a: 0, b: false },
    ],
    [
      'a name that was never determined stays with null',
      [result(0, 'entry', { a: null }), result(1, 'entry', { a: ' ' })],
      { a: null },
    ],
    [
      'a later value fills an empty one',
      [result(0, 'entry', { a: null }), result(0, 'leave', { a: 5 })],
      { a: 5 },
    ],
    [
      'a late result of an early node does not overwrite a later one',
      [result(3, 'entry', { a: 'late' }), result(1, 'end', { a: 'early' })],
      { a: 'late' },
    ],
    ['nothing', [], {}],
  ])('%s', (_row, results, expected) => {
    expect(mergeExtractions(results)).toEqual(expected);
  });

  test('names that objects inherit are treated like any other name', () => {
    const merged = mergeExtractions([
      result(
        0,
        'entry',
        Object.fromEntries([
          ['__proto__', 'p'],
          ['constructor', 'c'],
          ['toString', null],
        ]),
      ),
    ]);
    expect(JSON.stringify(merged)).toBe('{"__proto__":"p","constructor":"c","toString":null}');
  });

  test('the result does not depend on the order of arrival', () => {
    const values = fc.dictionary(
      fc.constantFrom('a', 'b', '__proto__'),
      fc.constantFrom(null, '', 'x', 'y', 0, false, 7),
      { noNullPrototype: true },
    );
    const moments = fc.constantFrom<ExtractionPoint>('entry', 'leave', 'end');
    const places = fc.uniqueArray(fc.record({ visitIndex: fc.nat(5), point: moments, values }), {
      selector: ({ visitIndex, point }) => `${visitIndex} ${point}`,
    });
    const shuffled = places.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(shuffled, ([ordered, arrived]) => {
        const merged = (list: typeof ordered) =>
          mergeExtractions(list.map((each) => result(each.visitIndex, each.point, each.values)));
        expect(merged(arrived)).toEqual(merged(ordered));
      }),
    );
  });
});

describe('rewound branches (contract 8.2)', () => {
  const at = (turnIndex: number, branch = 0) =>
    result(turnIndex, 'entry', { a: turnIndex }, { throughTurnIndex: turnIndex, branch });
  const third = { ...initialCheckpoint, nodeId: 'n', turnIndex: 3, visitIndex: 3, revision: 4 };

  test('results of turns before the rewind target stay, later ones are dropped', () => {
    const rewound = rewindTo({ current: third, target: { ...third, turnIndex: 1, visitIndex: 1 } });
    expect(liveResults(rewound, [at(0), at(1), at(2), at(3)]).map((each) => each.throughTurnIndex)).toEqual([
      0, 1,
    ]);
  });

  test('results of the new branch count, those of the old one do not', () => {
    const rewound = rewindTo({ current: third, target: { ...third, turnIndex: 1, visitIndex: 1 } });
    expect(liveResults(rewound, [at(2, 0), at(2, 1), at(1, 1)])).toEqual([at(2, 1)]);
  });

  test('a rewind before the first turn drops everything', () => {
    expect(liveResults(rewindTo({ current: third, target: null }), [at(0), at(1)])).toEqual([]);
  });
});

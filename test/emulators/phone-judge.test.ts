import { describe, expect, test } from '@jest/globals';
import { judgeHearing, silencesOf, type Evidence } from '../support/chaos/phone-judge.ts';

/** Words of 300 ms each from `at` on; the sentences of one argument follow each other directly. */
function heard(...parts: [at: number, text: string][]): Evidence['words'] {
  return parts.flatMap(([at, text]) =>
    text.split(' ').map((word, index) => ({ text: word, endedAt: at + (index + 1) * 300 })),
  );
}

const clauses = [{ text: 'Well met.' }, { text: 'We have tea.' }, { text: 'Which one?' }];
const judge = (words: Evidence['words'], more: Partial<Evidence> = {}) =>
  judgeHearing({ words, clauses, fillers: ['Sorry, once more.'], lostAt: [], saying: [], ...more });
const whole = 'Well met. We have tea. Which one?';

describe('the words that a person heard', () => {
  test('are correct when every clause was heard once and in order', () => {
    expect(judge(heard([1000, whole]))).toEqual([]);
  });

  test('are correct when the sound paused within a word and nothing of it is missing', () => {
    expect(
      judge(heard([1000, 'Well m'], [2400, 'et. We ha'], [4000, 've t'], [5500, 'ea. Which one?'])),
    ).toEqual([]);
  });

  test('are correct when a clause was cut off by a loss and repeated with an apology', () => {
    expect(
      judge(heard([1000, 'Well met. We ha'], [5000, 'Sorry, once more. We have tea. Which one?']), {
        lostAt: [2200],
      }),
    ).toEqual([]);
  });

  test('are wrong when a heard clause is repeated', () => {
    expect(
      judge(heard([1000, 'Well met. We have'], [5000, 'Well met. We have tea. Which one?']), {
        lostAt: [2300],
      }),
    ).toEqual([{ kind: 'repeated', clause: 'Well met.', heardAt: 1600, againAt: 5600 }]);
  });

  test('are correct when a clause that ended within 300 ms of a loss is repeated, and wrong just before that', () => {
    const words = heard([1000, 'Well met.'], [5000, whole]);
    expect(judge(words, { lostAt: [1890] })).toEqual([]);
    expect(judge(words, { lostAt: [1990] })).toMatchObject([{ kind: 'repeated', clause: 'Well met.' }]);
  });

  test('are correct when a clause that a host cut in two is continued between its words, and wrong when its end is repeated although it was heard', () => {
    const lost = { lostAt: [2300] };
    expect(judge(heard([1000, 'Well met. We have'], [5000, 'tea. Which one?']), lost)).toEqual([]);
    const again = heard([1000, 'Well met. We have tea.'], [5000, 'Sorry, once more. tea. Which one?']);
    expect(judge(again, { lostAt: [2600] })).toEqual([]);
    expect(judge(again, { lostAt: [3000] })).toEqual([
      { kind: 'repeated', clause: 'tea.', heardAt: 2500, againAt: 6200 },
    ]);
  });

  test('are wrong when a clause that was cut off is continued after a word that was not heard', () => {
    expect(judge(heard([1000, 'Well met. We'], [5000, 'tea. Which one?']), { lostAt: [2000] })).toMatchObject(
      [
        { kind: 'unknown', heard: 'tea.' },
        { kind: 'dropped', clause: 'We have tea.' },
      ],
    );
  });

  test('are wrong when a clause is missing: in the middle, at the end, or all of them', () => {
    expect(judge(heard([1000, 'Well met. Which one?']))).toEqual([
      { kind: 'dropped', clause: 'We have tea.' },
    ]);
    expect(judge(heard([1000, 'Well met. We have tea.']))).toEqual([
      { kind: 'dropped', clause: 'Which one?' },
    ]);
    expect(judge([])).toHaveLength(3);
  });

  test('are wrong when a clause that was cut off is not repeated, even because of a loss', () => {
    expect(judge(heard([1000, 'Well met. We ha'], [5000, 'Which one?']), { lostAt: [2200] })).toEqual([
      { kind: 'dropped', clause: 'We have tea.' },
    ]);
  });

  test('are wrong when speech is cut off far from any loss', () => {
    expect(judge(heard([1000, 'Well met. We ha'], [5000, 'We have tea. Which one?']))).toMatchObject([
      { kind: 'cut', heard: 'We ha' },
    ]);
    expect(
      judge(heard([1000, 'Well met. We ha'], [5000, 'We have tea. Which one?']), { lostAt: [9000] }),
    ).toMatchObject([{ kind: 'cut' }]);
  });

  test('are wrong when the agent apologizes although nothing was lost', () => {
    expect(judge(heard([1000, `Sorry, once more. ${whole}`]))).toMatchObject([{ kind: 'needless' }]);
  });

  test('are wrong when they contain anything else, such as an unfilled value', () => {
    expect(judge(heard([1000, 'Well met. {{name}} We have tea. Which one?']))).toMatchObject([
      { kind: 'unknown', heard: '{{name}}' },
    ]);
  });

  test('are correct when the person talked over a clause, which is then cut off or left out', () => {
    const cut = {
      clauses: [
        { text: 'Well met.' },
        { text: 'We have tea.', mayBeCut: true as const },
        { text: 'Which one?' },
      ],
    };
    expect(judge(heard([1000, 'Well met. We ha'], [3000, 'Which one?']), cut)).toEqual([]);
    expect(judge(heard([1000, 'Well met.'], [3000, 'Which one?']), cut)).toEqual([]);
  });

  test('are correct when the person talked over an apology, which is then cut off, and wrong when no one talked', () => {
    const words = heard([1000, 'Well met. We have tea.'], [5000, 'Sor'], [9000, 'Which one?']);
    expect(judge(words, { lostAt: [4000], saying: [{ from: 4900, until: 5600 }] })).toEqual([]);
    expect(judge(words, { lostAt: [4000], saying: [{ from: 6000, until: 7000 }] })).toMatchObject([
      { kind: 'cut', heard: 'Sor' },
    ]);
    expect(
      judge(heard([1000, 'Well met. We ha'], [5000, 'We have tea. Which one?']), {
        saying: [{ from: 1500, until: 3000 }],
      }),
    ).toMatchObject([{ kind: 'cut', heard: 'We ha' }]);
  });
});

test('silence lasts from the last sound of either side before the loss until the agent is heard again', () => {
  const spans = [
    { beganAt: 1000, endedAt: 3000 },
    { beganAt: 6000, endedAt: 7000 },
  ];
  const of = (lostAt: number, saidUntil: number[] = []) =>
    silencesOf({ lostAt: [lostAt], spans, saidUntil, endedAt: 9000 }).map(({ ms }) => ms);
  expect(of(2950)).toEqual([3000]);
  expect(of(4000, [3800])).toEqual([2200]);
  expect(of(7500)).toEqual([]);
});

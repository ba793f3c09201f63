import { describe, expect, test } from '@jest/globals';
import type { JournaledClause, JournalEntry } from '../../../src/domain/speech/journal.ts';
import { planResume } from '../../../src/domain/speech/resume-plan.ts';

const at = (second: number) => `2026-11-20T10:00:0${second}.000Z`;

function clause(position: number, text: string, more: Partial<JournaledClause> = {}): JournaledClause {
  return {
    kind: 'clause',
    position,
    text,
    lineKind: 'reply',
    isFiller: false,
    recordingId: null,
    sentAt: null,
    playedAt: null,
    heardText: null,
    ...more,
  };
}

const played = (second: number) => ({ sentAt: at(second), playedAt: at(second + 1) });
const decision: JournalEntry = { kind: 'decision', position: 0, data: { chosenEdge: 'e' } };

describe('the plan to continue a step of another host', () => {
  test('treats played clauses as heard, and repeats cut or unplayed ones in order', () => {
    const plan = planResume([
      clause(0, 'One. ', played(0)),
      clause(1, 'Two. ', { sentAt: at(1) }),
      clause(2, 'Three.'),
      decision,
    ]);
    expect(plan.heard).toEqual([{ kind: 'reply', text: 'One.', at: at(0) }]);
    expect(plan.unheard.map(({ text }) => text)).toEqual(['Two. ', 'Three.']);
    expect(plan).toMatchObject({
      decision,
      utterance: null,
      isUntouched: false,
      wasInterrupted: false,
      madeLines: [{ kind: 'reply', text: 'One. Two. Three.' }],
    });
  });

  test('includes what a second host said, and never repeats its recovery line', () => {
    const first = [clause(0, 'One. ', played(0)), clause(1, 'Two. ', { sentAt: at(1) }), clause(2, 'Three.')];
    const second = [
      clause(3, 'Sorry. ', { isFiller: true, ...played(4) }),
      clause(1, 'Two. ', played(5)),
      clause(2, 'Three.', { sentAt: at(6) }),
    ];
    const plan = planResume([...first, decision, ...second]);
    expect(plan.unheard.map(({ text }) => text)).toEqual(['Three.']);
    expect(plan.heard.map(({ text }) => text)).toContain('Sorry.');
    expect(plan.madeLines).toEqual([{ kind: 'reply', text: 'One. Two. Three.' }]);
  });

  test('ends the reply at a clause that the caller cut off, and voids the decision', () => {
    const plan = planResume([
      clause(0, 'One two. ', { ...played(0), heardText: 'One' }),
      clause(1, 'Three.', { playedAt: at(1), heardText: '' }),
      decision,
    ]);
    expect(plan).toMatchObject({
      wasInterrupted: true,
      unheard: [],
      decision: null,
      heard: [{ text: 'One' }],
    });
  });

  test('ends the step after an utterance', () => {
    const utterance: JournalEntry = {
      kind: 'utterance',
      position: 0,
      text: 'yes',
      startedAt: at(3),
      endedAt: at(4),
    };
    expect(planResume([clause(0, 'One.', played(0)), decision, utterance]).utterance).toEqual(utterance);
  });

  test('treats a reply without a decision as incomplete, and a step without a sent clause as untouched', () => {
    expect(planResume([clause(0, 'One.')])).toMatchObject({ decision: null, isUntouched: true });
    expect(planResume([])).toMatchObject({
      heard: [],
      unheard: [],
      madeLines: [],
      decision: null,
      isUntouched: true,
    });
  });

  test('separates a transition speech from the reply after it', () => {
    expect(
      planResume([
        clause(0, 'Moving on.', { lineKind: 'transition_speech', ...played(0) }),
        clause(1, 'So. ', played(1)),
        clause(2, 'Yes.', played(2)),
      ]).heard.map(({ kind, text }) => [kind, text]),
    ).toEqual([
      ['transition_speech', 'Moving on.'],
      ['reply', 'So. Yes.'],
    ]);
  });
});

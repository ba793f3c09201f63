import { describe, expect, test } from '@jest/globals';
import {
  isOpenAt,
  makeContacts,
  scheduleOf,
  zones,
  type Contact,
} from '../support/chaos/campaign-contacts.ts';
import { judgeCampaign, type Evidence, type RowEnd, type Attempt } from '../support/chaos/campaign-judge.ts';
import type { Ring } from '../support/chaos/carrier-file.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deathsIn, points } from '../support/chaos/campaign-points.ts';
import { root } from '../support/process.ts';
import { windowAt } from '../../src/domain/campaign/windows.ts';
import { rulesOf } from '../../src/domain/campaign/rules.ts';

const minuteMs = 60_000;
const hours = { opensAt: 10 * minuteMs, closesAt: 10 * minuteMs };

const contact = (more: Partial<Contact> = {}): Contact => ({
  row: 1,
  written: '+12025550001',
  place: 'open',
  kind: 'callable',
  takes: ['busy', 'declined'],
  ...more,
});
const rung = (...at: number[]): Ring[] =>
  at.map((moment, index) => ({
    to: '+12025550001',
    from: '+12125551000',
    at: moment,
    legId: `leg ${index}`,
    reference: `attempt ${index}`,
  }));
const ended = (more: Partial<RowEnd> = {}): RowEnd => ({
  row: 1,
  state: 'processed',
  outcome: 'declined',
  attempts: 2,
  settledAt: 5 * minuteMs,
  ...more,
});

function judge({
  row = contact(),
  rings,
  end = ended(),
  attempts = [],
  ...more
}: { row?: Contact; rings: Ring[]; end?: RowEnd; attempts?: Attempt[] } & Partial<
  Omit<Evidence, 'rings' | 'attempts'>
>) {
  const { violations, inDoubt, repeated, misheard } = judgeCampaign({
    contacts: [row],
    rings,
    ends: new Map([[1, end]]),
    attempts: new Map([[1, attempts]]),
    deaths: [],
    hours,
    pauses: [],
    ...more,
  });
  return { violations: violations.length, inDoubt, repeated, misheard };
}
const right = { violations: 0, inDoubt: [], repeated: [], misheard: [] };
const wrong = { ...right, violations: 1 };
const aDeath = [{ who: 'worker' as const, at: 2000, why: 'at random' }];

describe('a run of a campaign', () => {
  test('is correct when every contact was rung as its plan says', () => {
    expect(judge({ rings: rung(1000, 40_000) })).toEqual(right);
  });

  test('is wrong when a contact was rung twice for one attempt, too soon or too rarely, or is not in the file', () => {
    expect(judge({ rings: rung(1000, 40_000).map((each) => ({ ...each, reference: 'the same' })) })).toEqual(
      wrong,
    );
    expect(judge({ rings: rung(1000, 20_000) })).toEqual(wrong);
    expect(judge({ rings: rung(1000) })).toEqual(wrong);
    expect(
      judge({
        rings: [
          ...rung(1000, 40_000),
          { ...(rung(5000)[0] ?? fail()), to: '+12025559999', reference: 'another' },
        ],
      }),
    ).toEqual(wrong);
  });

  test('is wrong when a contact was rung during a pause or outside its window', () => {
    expect(judge({ rings: rung(1000, 40_000), pauses: [{ from: 30_000, until: 50_000 }] })).toEqual(wrong);
    expect(
      judge({ row: contact({ place: 'opens' }), rings: rung(hours.opensAt - 1, hours.opensAt + 40_000) }),
    ).toEqual(wrong);
    expect(
      judge({ row: contact({ place: 'closes' }), rings: rung(1000, hours.closesAt + minuteMs) }),
    ).toEqual(wrong);
    expect(
      judge({
        row: contact({ place: 'closed', takes: ['declined'] }),
        rings: rung(1000),
        end: ended({ attempts: 1 }),
      }).violations,
    ).toBeGreaterThan(0);
  });

  test('is correct when a row is in doubt because of a death, and wrong without one', () => {
    const end = ended({ state: 'failed', outcome: 'unknown', attempts: 1 });
    const attempts = [{ outcome: 'unknown', begunAt: 1500, settledAt: 9000 }];
    expect(judge({ rings: [], end, attempts, deaths: aDeath })).toEqual({ ...right, inDoubt: [1] });
    expect(judge({ rings: [], end, attempts })).toEqual(wrong);
    expect(judge({ rings: [], end, attempts, deaths: [{ ...(aDeath[0] ?? fail()), at: 9001 }] })).toEqual(
      wrong,
    );
  });

  test('is correct when work that a death interrupted is repeated', () => {
    const attempts = [
      { outcome: 'own_fault', begunAt: 1500, settledAt: 9000 },
      { outcome: 'busy', begunAt: 80_000, settledAt: 81_000 },
      { outcome: 'declined', begunAt: 120_000, settledAt: 121_000 },
    ];
    expect(
      judge({ rings: rung(80_000, 120_000), end: ended({ attempts: 3 }), attempts, deaths: aDeath }),
    ).toEqual({
      ...right,
      repeated: [1],
    });
    expect(judge({ rings: rung(80_000, 120_000), end: ended({ attempts: 3 }), attempts })).toEqual(wrong);
  });

  test('is correct when the last check before a dial refuses it', () => {
    const attempts = [
      { outcome: 'not_dialed', begunAt: 500, settledAt: 600 },
      { outcome: 'busy', begunAt: 1000, settledAt: 2000 },
      { outcome: 'declined', begunAt: 40_000, settledAt: 41_000 },
    ];
    expect(judge({ rings: rung(1000, 40_000), end: ended({ attempts: 3 }), attempts })).toEqual(right);
  });
});

test.each([
  Date.UTC(2026, 10, 22, 13, 50),
  Date.UTC(2026, 0, 4, 23, 59),
  Date.UTC(2026, 5, 1, 5, 58),
  Date.UTC(2026, 5, 1, 17, 59, 30),
])('the hours of the zones are those of the campaign, from %s on', (now) => {
  const opensAt = Math.ceil((now + 120_000) / minuteMs) * minuteMs;
  const own = { opensAt, closesAt: opensAt };
  const { window } = rulesOf(
    {
      retry_config: null,
      max_concurrency: null,
      circuit_breaker: null,
      schedule_config: scheduleOf(own, now),
      rules: { window_zone: 'contact' },
    },
    {},
  );
  for (const place of ['open', 'opens', 'closes', 'closed'] as const) {
    for (let at = now; at < now + 2 * 3_600_000; at += 30_000)
      expect({
        place,
        at,
        isOpen: windowAt(window, { zones: [zones[place].name], at: new Date(at) }).isOpen,
      }).toEqual({ place, at, isOpen: isOpenAt(place, at, own) });
  }
});

test('a file of contacts has every kind of row, and each callable number once', () => {
  const contacts = makeContacts(12_000, () => 0.9);
  const called = contacts.filter(({ kind }) => kind === 'callable').map(({ written }) => written);
  expect(new Set(called).size).toBe(called.length);
  expect(new Set(contacts.map(({ kind, place }) => `${kind} ${place}`)).size).toBeGreaterThan(6);
});

test.each(points)(
  'the point “$name” matches one place of the source, and a process dies there',
  ({ name, file, from }) => {
    expect(readFileSync(join(root, file), 'utf8').split(from)).toHaveLength(2);
    expect(
      deathsIn(`file:///somewhere/${file}`).filter(
        ({ to }) => to.includes(`dies.at("${name}")`) || to.includes(`dies.soonAfter("${name}")`),
      ),
    ).toHaveLength(1);
  },
);

function fail(): never {
  throw new Error('nothing is there');
}

import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { CallFacts } from '../../../src/domain/campaign/call-outcome.ts';
import type { DialPolicy } from '../../../src/domain/campaign/policy.ts';
import { rulesOf } from '../../../src/domain/campaign/rules.ts';
import type { CampaignRulesInput, CampaignSettings } from '../../../src/domain/campaign/settings.ts';
import { waitReasons } from '../../../src/domain/campaign/wait-reason.ts';
import type { Slot } from '../../../src/domain/campaign/weekly-hours.ts';
import { zoneKeyOfPhone, zonesOf } from '../../../src/domain/phone/zones.ts';
import { propertyRuns, propertySeed } from '../../support/seed.ts';
import {
  SimulatedCampaign,
  type SimulatedDial,
  type SimulatedTarget,
} from '../../support/simulated-campaign.ts';
import { isWithin } from '../../support/wall-clock.ts';

const nothing: CampaignSettings = {
  retry_config: null,
  max_concurrency: null,
  schedule_config: null,
  circuit_breaker: null,
  rules: null,
};
/** Nights with a clock change, and a day without one. */
const starts = [
  '2026-03-07T20:00:00Z',
  '2026-03-28T20:00:00Z',
  '2026-10-24T18:00:00Z',
  '2026-10-31T20:00:00Z',
  '2026-04-04T08:00:00Z',
  '2026-11-20T09:00:00Z',
];
// In zones whose clocks the runtime and the product agree on.
const phones = [
  '4930123456',
  '12125550100',
  '18505550100',
  '919812345678',
  '97714123456',
  '61255012345',
  '19285550100',
  '34612345678',
  '6433012345',
  '99912345678',
];

const talk: CallFacts = {
  disposition: 'user_qualified',
  tags: [],
  retryClass: 'none',
  notDialed: null,
  isInDoubt: false,
  wasAnswered: true,
  talkedSeconds: 60,
  wasRefused: false,
  wasStopped: false,
  gathered: {},
};
const rings = { wasAnswered: false, talkedSeconds: 0 };
const endings: Partial<CallFacts>[] = [
  {},
  { disposition: 'user_hangup', talkedSeconds: 2 },
  { ...rings, disposition: 'no-answer', retryClass: 'no_answer' },
  { ...rings, disposition: 'busy', retryClass: 'busy' },
  { ...rings, disposition: 'failed', retryClass: 'declined' },
  { disposition: 'voicemail_detected', retryClass: 'voicemail' },
  { ...rings, disposition: 'failed', retryClass: 'never' },
  { ...rings, disposition: 'error', retryClass: 'provider' },
  { ...rings, disposition: 'error', retryClass: 'capacity' },
  { ...rings, disposition: 'error', retryClass: null, wasRefused: true },
  { ...rings, disposition: 'error', retryClass: 'provider', isInDoubt: true },
  { ...rings, disposition: 'canceled', notDialed: 'outside_window' },
  { gathered: { do_not_call: true } },
  { gathered: { callback_at: '2026-11-26T03:30' } },
  { gathered: { callback_at: 'one day' } },
];

interface World {
  settings: CampaignSettings;
  policy: DialPolicy;
  startsAt: string;
  seed: number;
  rows: number;
}

function simulate(
  { settings, policy, startsAt, seed, rows }: World,
  each?: (campaign: SimulatedCampaign) => void,
) {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff;
    return state / 0x7f_ff_ff_ff;
  };
  const pick = <T>(from: readonly T[]): T | undefined =>
    from[Math.min(from.length - 1, Math.floor(random() * from.length))];
  const contacts = Array.from({ length: rows }, () => {
    const phone = `${pick(phones)?.slice(0, -2)}${10 + Math.floor(random() * 90)}`;
    return { phone, zoneKey: zoneKeyOfPhone(phone) };
  });
  const callOf = () => {
    const facts = { ...talk, ...pick(endings) };
    return { facts, lengthMs: facts.notDialed === null ? 5000 + Math.floor(random() * 120_000) : 100 };
  };
  const campaign = new SimulatedCampaign({
    rules: rulesOf(settings, policy),
    contacts,
    startsAt: new Date(startsAt),
    lines: 20,
    random,
    callOf,
  });
  const isOver = campaign.run(each === undefined ? {} : { each: () => each(campaign) });
  return { campaign, isOver };
}

const slotsOf = (settings: CampaignSettings): Slot[] | null =>
  settings.schedule_config === null || settings.schedule_config.enabled === false
    ? null
    : settings.schedule_config.slots.map(({ day_of_week: day, start_time: start, end_time: end }) => ({
        day,
        start,
        end,
      }));

/** Dials that local time in some zone of the contact did not allow. */
function outside({ settings, policy }: World, dials: readonly SimulatedDial[]): string[] {
  const hours = {
    campaign: slotsOf(settings),
    policy: policy.window?.slots ?? null,
    campaignZone: settings.schedule_config?.timezone ?? 'UTC',
    isInContactZone: settings.rules?.window_zone === 'contact',
  };
  return dials
    .filter(({ target, at }) => !isWithin({ ...hours, zones: zonesOf(target.zoneKey), at }))
    .map(({ target, at }) => `${target.zoneKey} ${at.toISOString()}`);
}

function overCaps(
  dials: readonly SimulatedDial[],
  caps: { perHour: number | null; perDay: number | null; perWeek: number | null },
): string[] {
  const byPhone = Map.groupBy(dials, ({ target }) => target.phone);
  return [...byPhone].flatMap(([phone, ofPhone]) =>
    (
      [
        [caps.perHour, 1],
        [caps.perDay, 24],
        [caps.perWeek, 168],
      ] as const
    ).flatMap(([max, hours]) =>
      ofPhone
        .filter(
          ({ at: last }) =>
            ofPhone.filter(({ at }) => at <= last && at.getTime() > last.getTime() - hours * 3_600_000)
              .length > (max ?? Infinity),
        )
        .map(({ at }) => `${phone} ${at.toISOString()} ${hours} h`),
    ),
  );
}

/** Rows that wait without a due time or a reason. */
function unexplained(campaign: SimulatedCampaign): SimulatedTarget[] {
  return campaign.targets.filter(
    (target) =>
      target.state === 'waiting' &&
      (target.dueAt === null || !waitReasons.some((reason) => reason === target.waitReason)),
  );
}

const final = ['processed', 'failed'];
const time = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
const slot = fc
  .tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 1400 }), fc.integer({ min: 20, max: 900 }))
  .map(([day, start, length]) => ({ day, start: time(start), end: time(Math.min(1439, start + length)) }));
const slots = fc.array(slot, { minLength: 1, maxLength: 10 });
const schedule = fc.option(
  fc
    .tuple(
      slots,
      fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'),
      fc.boolean(),
    )
    .map(([hours, timezone, enabled]) => ({
      enabled,
      timezone,
      slots: hours.map(({ day, start, end }) => ({ day_of_week: day, start_time: start, end_time: end })),
    })),
);
const retry = fc.option(
  fc.record({
    enabled: fc.boolean(),
    max_retries: fc.nat(4),
    retry_delay_seconds: fc.integer({ min: 30, max: 3600 }),
    retry_on_busy: fc.boolean(),
    retry_on_no_answer: fc.boolean(),
    retry_on_voicemail: fc.boolean(),
  }),
);
const cap = fc.option(fc.integer({ min: 1, max: 5 }));
const caps = fc.record({ perHour: cap, perDay: cap, perWeek: cap });
const policy = fc.record(
  {
    startsPerSecond: fc.integer({ min: 1, max: 20 }),
    caps,
    window: slots.map((hours) => ({ slots: hours })),
  },
  { requiredKeys: ['startsPerSecond'] },
);
const common = {
  startsAt: fc.constantFrom(...starts),
  seed: fc.nat(1_000_000),
  rows: fc.integer({ min: 1, max: 80 }),
};
const own = fc.record(
  {
    window_zone: fc.constantFrom<('campaign' | 'contact')[]>('campaign', 'contact'),
    max_attempts: fc.integer({ min: 1, max: 6 }),
    ramp: fc.record({ lines: fc.integer({ min: 1, max: 3 }), each_minute: fc.integer({ min: 1, max: 5 }) }),
  },
  { requiredKeys: [] },
) satisfies fc.Arbitrary<CampaignRulesInput>;

describe('a whole campaign by the clock of a test', () => {
  // guarantee: never-open-window-fails-target
  test('dials within the hours, the caps and its lines, explains every row that waits, and completes', () => {
    const seed = propertySeed('whole campaign');
    const worlds = fc.record({
      settings: fc
        .tuple(schedule, retry, own, fc.option(fc.integer({ min: 1, max: 10 })))
        .map(([schedule_config, retry_config, rules, max_concurrency]) => ({
          ...nothing,
          schedule_config,
          retry_config,
          rules,
          max_concurrency,
        })),
      policy,
      ...common,
    });
    fc.assert(
      fc.property(worlds, (world) => {
        const waiting: SimulatedTarget[] = [];
        const { campaign, isOver } = simulate(world, (at) => waiting.push(...unexplained(at)));
        expect(waiting).toEqual([]);
        expect(outside(world, campaign.dials)).toEqual([]);
        expect(overCaps(campaign.dials, rulesOf(world.settings, world.policy).caps)).toEqual([]);
        expect(Math.max(0, ...campaign.dials.map(({ inUse }) => inUse))).toBeLessThanOrEqual(
          world.settings.max_concurrency ?? 20,
        );
        expect(isOver).toBe(true);
        expect(campaign.targets.every(({ state }) => final.includes(state))).toBe(true);
      }),
      { seed, numRuns: propertyRuns(40) },
    );
  });

  // guarantee: retry-config-limits-retries
  test('of a published client follows only the contract: it retries only what its retry_config names, as often and when that says, within its schedule', () => {
    const seed = propertySeed('published campaign');
    const worlds = fc.record({
      settings: fc
        .tuple(schedule, retry)
        .map(([schedule_config, retry_config]) => ({ ...nothing, schedule_config, retry_config })),
      policy: fc.constant({ startsPerSecond: 20 }),
      ...common,
    });
    const free = ['capacity', 'own_fault', 'not_dialed'];
    fc.assert(
      fc.property(worlds, (world) => {
        const { campaign, isOver } = simulate(world);
        const {
          enabled = true,
          max_retries: max = 1,
          retry_delay_seconds: delay = 120,
          retry_on_busy: busy = true,
          retry_on_no_answer: noAnswer = true,
          retry_on_voicemail: voicemail = false,
        } = world.settings.retry_config ?? {};
        const allowed = new Set([
          ...free,
          ...(enabled && busy ? ['busy'] : []),
          ...(enabled && noAnswer ? ['no_answer'] : []),
          ...(enabled && voicemail ? ['voicemail'] : []),
        ]);
        expect(isOver).toBe(true);
        expect(outside(world, campaign.dials)).toEqual([]);
        expect(campaign.dials.filter(({ because }) => because !== null && !allowed.has(because))).toEqual([]);
        expect(
          campaign.targets.filter(({ spentAttempts }) => spentAttempts > 1 + (enabled ? max : 0)),
        ).toEqual([]);
        for (const ofRow of Map.groupBy(campaign.dials, ({ target }) => target.row).values()) {
          const early = ofRow.filter(
            ({ because, at }, index) =>
              because !== null &&
              !free.includes(because) &&
              Number(at) - Number(ofRow[index - 1]?.at ?? 0) < delay * 1000,
          );
          expect(early).toEqual([]);
        }
      }),
      { seed, numRuns: propertyRuns(40) },
    );
  });

  test.each(starts)('of a thousand rows over days, started at %s', (startsAt) => {
    const office = Array.from({ length: 7 }, (_, day) => ({
      day_of_week: day,
      start_time: '00:30',
      end_time: '03:30',
    }));
    const world: World = {
      settings: {
        ...nothing,
        schedule_config: { timezone: 'Europe/Berlin', slots: office },
        rules: { window_zone: 'contact' },
      },
      policy: { startsPerSecond: 5 },
      startsAt,
      seed: 7,
      rows: 1000,
    };
    const { campaign, isOver } = simulate(world);
    expect(isOver).toBe(true);
    expect(outside(world, campaign.dials)).toEqual([]);
    expect(overCaps(campaign.dials, { perHour: 1, perDay: 3, perWeek: 7 })).toEqual([]);
    expect(campaign.dials.length).toBeGreaterThan(500);
    expect(
      campaign.dials.filter(({ because }) => because === 'opted_out' || because === 'invalid_number'),
    ).toEqual([]);
  });

  // guarantee: never-open-window-fails-target
  test('whose hours never open dials no row and leaves none waiting', () => {
    const world: World = {
      settings: { ...nothing, schedule_config: { slots: [] } },
      policy: {},
      startsAt: starts[0] ?? '',
      seed: 1,
      rows: 50,
    };
    const { campaign, isOver } = simulate(world);
    expect(isOver).toBe(true);
    expect(campaign.now.toISOString()).toBe('2026-03-07T20:00:00.000Z');
    expect(campaign.dials).toEqual([]);
    expect(new Set(campaign.targets.map(({ state, waitReason }) => `${state} ${waitReason}`))).toEqual(
      new Set(['failed window_never_opens']),
    );
  });
});

import type { Slot } from '../../src/domain/campaign/weekly-hours.ts';

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const clocks = new Map<string, Intl.DateTimeFormat>();

/**
 * Day of the week (0 = Monday) and minute of the day in local time, by the runtime's zones and not by the
 * product's.
 */
export function wallTime(zone: string, at: Date): { day: number; minute: number } {
  let clock = clocks.get(zone);
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    clocks.set(zone, clock);
  }
  const parts = new Map(clock.formatToParts(at).map(({ type, value }) => [type, value]));
  return {
    day: days.indexOf(parts.get('weekday') ?? ''),
    minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')),
  };
}

/** Whether a time is within hours, checked naively: each zone, each slot. */
export function isWithin({
  campaign,
  policy,
  campaignZone,
  isInContactZone,
  zones,
  at,
}: {
  campaign: Slot[] | null;
  policy: Slot[] | null;
  campaignZone: string;
  isInContactZone: boolean;
  zones: readonly string[];
  at: Date;
}): boolean {
  const contact = zones.length === 0 ? [campaignZone] : zones;
  const isOpen = (slots: Slot[] | null, names: readonly string[]) =>
    slots === null || names.every((zone) => isInSlot(slots, wallTime(zone, at)));
  return isOpen(campaign, isInContactZone ? contact : [campaignZone]) && isOpen(policy, contact);
}

function isInSlot(slots: Slot[], { day, minute }: { day: number; minute: number }): boolean {
  return slots.some(
    (slot) => slot.day === day && minuteOf(slot.start) <= minute && minute < minuteOf(slot.end),
  );
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

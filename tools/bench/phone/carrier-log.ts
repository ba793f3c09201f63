import type { LogEntry } from '../../../test/support/phone-service.ts';

/** Readings from the log of the simulated carrier (emulators/carrier/README.md), in milliseconds. */

/**
 * From a webhook's event to its acknowledgement, first attempts only; `refused` counts those without a 2xx.
 */
export function acknowledgements(entries: readonly LogEntry[]): { ms: number[]; refused: number } {
  const first = entries.filter(({ type, attempt }) => type === 'webhook' && attempt === 1);
  return {
    ms: first.map(({ at, occurredAt }) => at - Date.parse(String(occurredAt))),
    refused: first.filter(({ outcome }) => !(typeof outcome === 'number' && outcome >= 200 && outcome < 300))
      .length,
  };
}

/** From the answer to the first sound at the callee, once per leg. */
export function greetings(entries: readonly LogEntry[]): number[] {
  const first = new Map<string, number>();
  for (const { type, legId, sinceAnswerMs } of entries) {
    if (
      type === 'sound_began' &&
      legId !== undefined &&
      typeof sinceAnswerMs === 'number' &&
      !first.has(legId)
    )
      first.set(legId, sinceAnswerMs);
  }
  return [...first.values()];
}

/** From the start of the stream to the first sound at the callee, once per leg. */
export function openings(entries: readonly LogEntry[]): number[] {
  return [...byLeg(entries).values()].flatMap((leg) => {
    const started = leg.find((each) => each.type === 'stream' && each['what'] === 'started');
    const sound = leg.find(({ type }) => type === 'sound_began');
    return started === undefined || sound === undefined ? [] : [sound.at - started.at];
  });
}

/**
 * From the first loud frame of an interruption to `clear` at the carrier. Speech before the leg's first
 * `after` utterances is not an interruption. `missed`: no `clear` came before the person spoke again, or at
 * all.
 */
export function interruptions(
  entries: readonly LogEntry[],
  { after }: { after: number },
): { ms: number[]; missed: number } {
  const ms: number[] = [];
  let missed = 0;
  for (const leg of byLeg(entries).values()) {
    const said = leg.filter(({ type }) => type === 'said');
    for (const [index, { at }] of said.entries()) {
      if (index < after) continue;
      const nextAt = said[index + 1]?.at ?? Number.POSITIVE_INFINITY;
      const cleared = leg.find(
        (each) => each.type === 'stream' && each['what'] === 'cleared' && each.at >= at && each.at < nextAt,
      );
      if (cleared === undefined) missed += 1;
      else ms.push(cleared.at - at);
    }
  }
  return { ms, missed };
}

/** Audio that was sent before a host died is still heard for this long. */
const onItsWayMs = 200;

/** From that time to the agent's next sound, by leg; null if there is none yet. */
export function silencesAfter(
  entries: readonly LogEntry[],
  atMs: number,
  legIds: readonly string[],
): Map<string, number | null> {
  const legs = byLeg(entries);
  return new Map(
    legIds.map((legId) => {
      const sound = legs.get(legId)?.find(({ type, at }) => type === 'sound_began' && at > atMs + onItsWayMs);
      return [legId, sound === undefined ? null : sound.at - atMs];
    }),
  );
}

/** Legs that were answered, in the order of answering. */
export function answeredLegs(entries: readonly LogEntry[]): string[] {
  return entries.flatMap(({ type, state, legId }) =>
    type === 'leg' && state === 'answered' && legId !== undefined ? [legId] : [],
  );
}

export function endedLegs(entries: readonly LogEntry[]): Set<string> {
  return new Set(endsIn(entries).map(({ legId }) => legId));
}

/** Legs that the callee hung up. */
export function hungUpLegs(entries: readonly LogEntry[]): Set<string> {
  return new Set(
    endsIn(entries)
      .filter(({ source }) => source === 'callee')
      .map(({ legId }) => legId),
  );
}

function endsIn(entries: readonly LogEntry[]): { legId: string; source: unknown }[] {
  return entries.flatMap(({ type, state, legId, source }) =>
    type === 'leg' && state === 'ended' && legId !== undefined ? [{ legId, source }] : [],
  );
}

function byLeg(entries: readonly LogEntry[]): Map<string, LogEntry[]> {
  const legs = new Map<string, LogEntry[]>();
  for (const entry of entries) {
    if (entry.legId === undefined) continue;
    const leg = legs.get(entry.legId);
    if (leg === undefined) legs.set(entry.legId, [entry]);
    else leg.push(entry);
  }
  return legs;
}

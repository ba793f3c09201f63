import type { CarrierNews } from './carrier-event.ts';

/**
 * Whether an event proves that its leg is live: on a leg that its call has given up, a person may hear
 * silence. An event that may also follow the end of a leg, such as the end of its stream, proves nothing.
 */
export function provesLiveLeg({ kind }: CarrierNews): boolean {
  return liveKinds.has(kind);
}

const liveKinds: ReadonlySet<CarrierNews['kind']> = new Set([
  'initiated',
  'ringing',
  'answered',
  'bridged',
  'detection',
  'machine_greeting_ended',
  'stream_started',
  'dtmf',
]);

import type { CarrierNews } from './carrier-event.ts';

/**
 * Whether an event says that its leg lives: of a leg that its call has given up that means a person at a
 * silent line. What may also come after the end of a line, such as the end of its stream, says nothing.
 */
export function provesLiveLeg({ kind }: CarrierNews): boolean {
  return living.has(kind);
}

const living: ReadonlySet<CarrierNews['kind']> = new Set([
  'initiated',
  'ringing',
  'answered',
  'bridged',
  'detection',
  'machine_greeting_ended',
  'stream_started',
  'dtmf',
]);

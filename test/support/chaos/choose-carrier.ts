import type { PhoneService } from '../phone-service.ts';
import type { Random } from '../seed.ts';

/** What a carrier may answer to a dial that it knows, and by how much its events may be late. */
const repeatedDials = ['same', 'ignored', 'refused', 'channel_limit'] as const;
const eventsLateMs = [0, 600, 1500] as const;

/** A carrier that answers repeated dials in every way, one for each number, and whose events are late by the seed. */
export async function chooseCarrier(
  { carrier }: PhoneService,
  { random, title }: { random: Random; title: string },
): Promise<void> {
  const someMs = () => eventsLateMs[Math.floor(random() * eventsLateMs.length)];
  const lateMs = { 'call.answered': someMs(), 'call.hangup': someMs() };
  const first = Math.floor(random() * repeatedDials.length);
  const repeatedDial = [...repeatedDials.slice(first), ...repeatedDials.slice(0, first)];
  await carrier.control('/emulator/assumptions', { repeatedDial });
  await carrier.control('/emulator/faults', { webhooks: { lateMs } });
  process.stderr.write(
    `${title}: call.answered comes ${lateMs['call.answered']} ms late, call.hangup ${lateMs['call.hangup']} ms\n`,
  );
}

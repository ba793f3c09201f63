import type { PhoneService } from '../phone-service.ts';
import type { Random } from '../seed.ts';

/** What a carrier may answer to a dial that it knows, and by how much its `call.answered` may be late. */
const repeatedDials = ['same', 'ignored', 'refused', 'channel_limit'] as const;
const answeredLateMs = [0, 600, 1500] as const;

/** A carrier of one kind or another, by the seed. */
export async function chooseCarrier(
  { carrier }: PhoneService,
  { random, title }: { random: Random; title: string },
): Promise<void> {
  const repeatedDial = repeatedDials[Math.floor(random() * repeatedDials.length)];
  const lateMs = { 'call.answered': answeredLateMs[Math.floor(random() * answeredLateMs.length)] };
  await carrier.control('/emulator/assumptions', { repeatedDial });
  await carrier.control('/emulator/faults', { webhooks: { lateMs } });
  process.stderr.write(
    `${title}: a dial that is sent again is answered with “${repeatedDial}”, call.answered comes ${lateMs['call.answered']} ms late\n`,
  );
}

import { CarrierError } from '../../../domain/telephony/carrier-error.ts';
import type { LegResult } from '../../../providers/carrier/port.ts';
import type { PhoneDeps } from './deps.ts';

/** A leg that the carrier does not know is as good as over. */
export async function unlessGone(command: Promise<LegResult>): Promise<LegResult> {
  try {
    return await command;
  } catch (error) {
    if (error instanceof CarrierError && (error.outcome === 'bad_leg' || error.outcome === 'ended'))
      return 'over';
    throw error;
  }
}

/** Where the carrier sends the events of a call's own leg (contract 12.4). */
export function eventsUrl(
  { publicUrl }: Pick<PhoneDeps, 'publicUrl'>,
  provider: string,
  callId: number,
): string {
  return `${withoutSlash(publicUrl)}/api/v1/telephony/${provider}/events/${callId}`;
}

/**
 * Where it sends those of a leg that a transfer dials (contract 12.7). `transferId` is the leg's reference.
 */
export function transferUrl(
  { publicUrl }: Pick<PhoneDeps, 'publicUrl'>,
  provider: string,
  transferId: string,
): string {
  return `${withoutSlash(publicUrl)}/api/v1/telephony/${provider}/transfer-result/${transferId}`;
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

/** The carrier's words without telephone numbers, fit for a history. */
export { withoutNumbers as maskNumbers } from '../../../domain/phone/without-numbers.ts';

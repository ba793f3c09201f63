import { CarrierError } from '../../../domain/telephony/carrier-error.ts';
import type { LegResult } from '../../../providers/carrier/port.ts';
import type { PhoneDeps } from './deps.ts';

/** Answers `over` for a leg that has ended or that the carrier does not know. */
export async function unlessGone(command: Promise<LegResult>): Promise<LegResult> {
  try {
    return await command;
  } catch (error) {
    if (error instanceof CarrierError && (error.outcome === 'bad_leg' || error.outcome === 'ended'))
      return 'over';
    throw error;
  }
}

/** The URL to which the carrier sends the events of a call's own leg (contract 12.4). */
export function eventsUrl(
  { publicUrl }: Pick<PhoneDeps, 'publicUrl'>,
  provider: string,
  callId: number,
): string {
  return `${withoutSlash(publicUrl)}/api/v1/telephony/${provider}/events/${callId}`;
}

/**
 * The URL for the events of a leg that a transfer dials (contract 12.7). `transferId` is the leg's reference.
 */
export function transferUrl(
  { publicUrl }: Pick<PhoneDeps, 'publicUrl'>,
  provider: string,
  transferId: string,
): string {
  return `${withoutSlash(publicUrl)}/api/v1/telephony/${provider}/transfer-result/${transferId}`;
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

/** Masks phone numbers in the carrier's words, so that a Workflow's history may keep them. */
export { withoutNumbers as maskNumbers } from '../../../domain/phone/without-numbers.ts';

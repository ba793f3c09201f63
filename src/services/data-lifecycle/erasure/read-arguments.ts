import { parseArgs } from 'node:util';
import { readE164 } from '../../../domain/person/same-number.ts';
import type { PersonQuery } from './find-person.ts';

export interface EraseArguments {
  /** The id or uuid of the organization. */
  organization: string;
  query: PersonQuery;
  endsLive: boolean;
  /** Whether to leave the suppression of the number as it is, add it, or remove it. */
  suppression: 'keep' | 'add' | 'forget';
  /** If false, nothing is changed. */
  isConfirmed: boolean;
}

export const usage = `npm run erase:person -- --organization <id|uuid> [person] [--end-live] [--yes]
  --phone <+49…>      calls whose phone_number, caller_number or called_number is this one
  --national          also calls with this number without its country code, possibly someone else's
  --customer <id>     calls whose ext_customer_id is this one
  --call <id|uuid>    this call; may be repeated
  --do-not-call       suppresses the number of --phone, so that no campaign dials it again
  --forget-suppression  removes the suppression of --phone, so that it may be dialed again
  --end-live          ends live calls; without it they prevent the erasure
  --yes               erases; without it the command only shows counts`;

/** Reads the command line; answers the fault as a sentence if it is invalid. */
export function readEraseArguments(args: readonly string[]): EraseArguments | { fault: string } {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        organization: { type: 'string' },
        phone: { type: 'string' },
        national: { type: 'boolean', default: false },
        customer: { type: 'string' },
        call: { type: 'string', multiple: true, default: [] },
        'do-not-call': { type: 'boolean', default: false },
        'forget-suppression': { type: 'boolean', default: false },
        'end-live': { type: 'boolean', default: false },
        yes: { type: 'boolean', default: false },
      },
    }));
  } catch (error) {
    return { fault: error instanceof Error ? error.message : 'The command line is invalid' };
  }
  const { organization, phone, customer, call, national } = values;
  if (organization === undefined || organization === '') return { fault: '--organization is missing' };
  const e164 = phone === undefined ? undefined : readE164(phone);
  if (e164 === null) return { fault: '--phone must be in E.164: a plus sign, the country, the number' };
  if (customer?.trim() === '') return { fault: '--customer is empty' };
  if (e164 === undefined && customer === undefined && call.length === 0)
    return { fault: '--phone, --customer or --call must name a person' };
  const [adds, forgets] = [values['do-not-call'], values['forget-suppression']];
  if ((adds || forgets) && e164 === undefined)
    return { fault: '--do-not-call and --forget-suppression need --phone' };
  if (adds && forgets) return { fault: '--do-not-call and --forget-suppression exclude each other' };
  return {
    organization,
    query: { phone: e164, customerId: customer, calls: call, includesNational: national },
    endsLive: values['end-live'],
    suppression: adds ? 'add' : forgets ? 'forget' : 'keep',
    isConfirmed: values.yes,
  };
}

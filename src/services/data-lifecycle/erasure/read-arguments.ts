import { parseArgs } from 'node:util';
import { readE164 } from '../../../domain/person/same-number.ts';
import type { PersonQuery } from './find-person.ts';

export interface EraseArguments {
  /** Id or uuid. */
  organization: string;
  query: PersonQuery;
  endsLive: boolean;
  /**
   * What becomes of the number on the list of suppressed ones: it stays where it is; it is put there; it is
   * taken off.
   */
  suppression: 'keep' | 'add' | 'forget';
  /** Without it nothing is changed. */
  isMeant: boolean;
}

export const usage = `npm run erase:person -- --organization <id|uuid> [whose] [--end-live] [--yes]
  --phone <+49…>      calls whose phone_number, caller_number or called_number is this one
  --national          also calls that hold it without its country, which may be somebody else's
  --customer <id>     calls whose ext_customer_id is this one
  --call <id|uuid>    this call; may be repeated
  --do-not-call       keeps the number of --phone, alone, so that no campaign ever dials it again
  --forget-suppression  lets it be dialed again where it was kept for that
  --end-live          ends calls that go on; without it they stop the erasure
  --yes               erases; without it only counts are shown`;

/** Reads the command line; a sentence where it cannot be read. */
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
    return { fault: error instanceof Error ? error.message : 'The command line cannot be read' };
  }
  const { organization, phone, customer, call, national } = values;
  if (organization === undefined || organization === '') return { fault: '--organization is missing' };
  const e164 = phone === undefined ? undefined : readE164(phone);
  if (e164 === null) return { fault: '--phone must be in E.164: a plus sign, the country, the number' };
  if (customer?.trim() === '') return { fault: '--customer is empty' };
  if (e164 === undefined && customer === undefined && call.length === 0)
    return { fault: 'Nobody is named: --phone, --customer or --call' };
  const [adds, forgets] = [values['do-not-call'], values['forget-suppression']];
  if ((adds || forgets) && e164 === undefined)
    return { fault: '--do-not-call and --forget-suppression are about the number of --phone' };
  if (adds && forgets) return { fault: '--do-not-call or --forget-suppression: not both' };
  return {
    organization,
    query: { phone: e164, customerId: customer, calls: call, includesNational: national },
    endsLive: values['end-live'],
    suppression: adds ? 'add' : forgets ? 'forget' : 'keep',
    isMeant: values.yes,
  };
}

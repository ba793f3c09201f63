import type { EntityManager } from 'typeorm';
import type { DialingSwitch } from '../../../contract/dialing.ts';
import { findRow } from '../../../db/rows.ts';
import { dialPolicies } from '../../../db/tables/dial-policies.ts';
import { installationStops } from '../../../db/tables/installation-stops.ts';
import { toDialingSwitch } from './mapper.ts';

/** Whether campaigns of the organization may dial, and who stopped them. */
export async function readSwitch(manager: EntityManager, organizationId: number): Promise<DialingSwitch> {
  const [own, installation] = [
    await findRow(manager, dialPolicies, { organizationId }),
    await findRow(manager, installationStops, { what: 'dialing' }),
  ];
  return toDialingSwitch(own, installation);
}

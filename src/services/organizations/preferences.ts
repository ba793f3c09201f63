import type { EntityManager } from 'typeorm';
import type { OrganizationPreferences } from '../../contract/organizations.ts';
import { validationRecord } from '../../contract/lax/records.ts';
import { organizationPreferences, type OrganizationPreferencesRow } from '../../db/tables/organization-preferences.ts';
import { organizations } from '../../db/tables/organizations.ts';
import { inTransaction } from '../../db/transaction.ts';
import { ValidationError } from '../../domain/errors.ts';
import { isZone } from '../../domain/template/time.ts';
import { appendAudit } from '../audit/append.ts';
import type { ServiceContext } from '../context.ts';
import { toPreferences } from './mapper.ts';

/** Absent = unchanged. */
export interface PreferencesChange {
  testPhoneNumber?: string | null | undefined;
  timezone?: string | null | undefined;
  externalPbxEnabled?: boolean | undefined;
}

/** The preferences of the organization (contract 13.3). */
export async function getPreferences({ ctx }: { ctx: ServiceContext }): Promise<OrganizationPreferences> {
  return toPreferences(await readPreferences(ctx.db.manager, ctx));
}

/** Changes the fields that are given (contract 13.3). Throws ValidationError for a zone that IANA does not know. */
export async function changePreferences({ ctx, input }: { ctx: ServiceContext; input: PreferencesChange }): Promise<OrganizationPreferences> {
  if (input.timezone !== undefined && input.timezone !== null && !isZone(input.timezone)) throw unknownZone(input.timezone);
  const change = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  return await inTransaction(ctx.db, async (tx) => {
    await tx.getRepository(organizations).findOneOrFail({ where: { id: ctx.organizationId }, lock: { mode: 'pessimistic_write' } });
    const row = { ...(await readPreferences(tx, ctx)), ...change, updatedAt: ctx.clock.now() };
    await tx.getRepository(organizationPreferences).upsert(row, ['organizationId']);
    await appendAudit(tx, ctx, { action: 'organization.preferences_changed', subjectKind: 'organization', subjectId: ctx.organizationId, changes: { fields: Object.keys(change) } });
    return toPreferences(row);
  });
}

async function readPreferences(manager: EntityManager, { organizationId, clock }: ServiceContext): Promise<OrganizationPreferencesRow> {
  const row = await manager.getRepository(organizationPreferences).findOneBy({ organizationId });
  return row ?? { organizationId, testPhoneNumber: null, timezone: null, externalPbxEnabled: false, updatedAt: clock.now() };
}

function unknownZone(timezone: string): ValidationError {
  const fault = { type: 'value_error', msg: 'Value error, the time zone is not known', input: timezone, ctx: { error: {} } };
  return new ValidationError('The time zone is not known', { detail: [validationRecord(['body', 'timezone'], fault)] });
}

import type { EntityManager } from 'typeorm';
import type { OrganizationPreferences } from '../../../contract/organizations.ts';
import { findRow, upsertRows } from '../../../db/rows.ts';
import {
  organizationPreferences,
  type OrganizationPreferencesRow,
} from '../../../db/tables/organization-preferences.ts';
import { appendAudit, lockOrganization, type ServiceContext, type Write, write } from '../../kernel/index.ts';
import { auditedPreferences, toPreferences } from './mapper.ts';

/** Absent fields stay unchanged. */
export interface PreferencesChange {
  testPhoneNumber?: string | null | undefined;
  timezone?: string | null | undefined;
  externalPbxEnabled?: boolean | undefined;
}

/** The preferences of the organization (contract 13.3). */
export async function getPreferences({ ctx }: { ctx: ServiceContext }): Promise<OrganizationPreferences> {
  return await getPreferencesWithin(ctx.db.manager, ctx);
}

/** The preferences of the organization, as the caller's transaction sees them. */
export async function getPreferencesWithin(
  manager: EntityManager,
  ctx: ServiceContext,
): Promise<OrganizationPreferences> {
  return toPreferences(await readPreferences(manager, ctx));
}

/**
 * Changes the given fields (contract 13.3). Throws ValidationError for a time zone that IANA does not know.
 */
export async function changePreferences({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: PreferencesChange;
}): Promise<OrganizationPreferences> {
  return await write(ctx, (tx) => changePreferencesWithin(tx, ctx, input));
}

/** Changes the given fields in the caller's transaction, and locks the organization's row. */
export async function changePreferencesWithin(
  tx: Write,
  ctx: ServiceContext,
  input: PreferencesChange,
): Promise<OrganizationPreferences> {
  const change = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  await lockOrganization(tx, ctx);
  const before = await readPreferences(tx, ctx);
  const row = { ...before, ...change, updatedAt: ctx.clock.now() };
  await upsertRows(tx, organizationPreferences, [row]);
  const fields = changedFields(input);
  const states = { before: auditedPreferences(before), after: auditedPreferences(row) };
  if (fields.length > 0)
    await appendAudit(tx, {
      action: 'organization.preferences_changed',
      subjectKind: 'organization',
      subjectId: ctx.organizationId,
      changes: { fields },
      states,
    });
  return toPreferences(row);
}

async function readPreferences(
  manager: EntityManager,
  { organizationId, clock }: ServiceContext,
): Promise<OrganizationPreferencesRow> {
  const row = await findRow(manager, organizationPreferences, { organizationId });
  return (
    row ?? {
      organizationId,
      testPhoneNumber: null,
      timezone: null,
      externalPbxEnabled: false,
      updatedAt: clock.now(),
    }
  );
}

/** The wire names of the given fields. */
function changedFields({ testPhoneNumber, timezone, externalPbxEnabled }: PreferencesChange): string[] {
  const given = {
    test_phone_number: testPhoneNumber,
    timezone,
    external_pbx_integrations_enabled: externalPbxEnabled,
  };
  return Object.entries(given).flatMap(([field, value]) => (value === undefined ? [] : [field]));
}

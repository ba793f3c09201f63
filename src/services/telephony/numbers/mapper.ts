import type { PhoneNumber } from '../../../contract/phone-numbers.ts';
import type { PhoneNumberRow } from '../../../db/tables/phone-numbers.ts';
import { wireTimestamp } from '../../kernel/index.ts';

/** The result of a change at the carrier. */
export type ProviderSync = NonNullable<PhoneNumber['provider_sync']>;

/** The answer of contract 12.2; only lists contain the agent's name. */
export function toPhoneNumber(
  row: PhoneNumberRow,
  { agentName = null, sync = null }: { agentName?: string | null; sync?: ProviderSync | null } = {},
): PhoneNumber {
  return {
    id: row.id,
    telephony_configuration_id: row.configurationId,
    address: row.address,
    address_normalized: row.addressNormalized,
    address_type: row.addressType,
    country_code: row.countryCode,
    label: row.label,
    inbound_workflow_id: row.inboundAgentId,
    inbound_workflow_name: agentName,
    telephony_trunk_id: null,
    is_active: row.isActive,
    is_default_caller_id: row.isDefaultCallerId === true,
    extra_metadata: row.extraMetadata,
    created_at: wireTimestamp(row.createdAt),
    updated_at: wireTimestamp(row.updatedAt),
    provider_sync: sync,
  };
}

/** A number as the audit log compares it, without the phone number itself. */
export function auditedNumber({
  configurationId,
  countryCode,
  inboundAgentId,
  isActive,
  isDefaultCallerId,
}: PhoneNumberRow): object {
  return {
    telephony_configuration_id: configurationId,
    country_code: countryCode,
    inbound_workflow_id: inboundAgentId,
    is_active: isActive,
    is_default_caller_id: isDefaultCallerId === true,
  };
}

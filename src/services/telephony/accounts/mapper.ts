import type {
  TelephonyConfiguration,
  TelephonyConfigurationDetail,
} from '../../../contract/telephony-configurations.ts';
import type { TelephonyProviders } from '../../../contract/telephony-providers.ts';
import type { TelephonyConfigurationRow } from '../../../db/tables/telephony-configurations.ts';
import { maskCredentials, type Credentials } from '../../../domain/telephony/credentials.ts';
import {
  credentialFields,
  isTelephonyProvider,
  telephonyProvider,
  telephonyProviderNames,
} from '../../../domain/telephony/providers.ts';
import { outboundBlock, setupSteps } from '../../../domain/telephony/readiness.ts';
import type { OutboundCarriers } from '../outbound.ts';
import { wireTimestamp } from '../../kernel/index.ts';

/** A connection with everything that its readiness depends on. */
export interface ShownConnection {
  row: TelephonyConfigurationRow;
  /** In clear. */
  credentials: Credentials;
  activeNumbers: number;
}

/** The item of contract 12.1. `numbers` counts the inactive ones, too. */
export function toConfiguration(
  shown: ShownConnection & { numbers: number },
  carriers: OutboundCarriers,
): TelephonyConfiguration {
  const { created_at, updated_at, ...connection } = toConnection(shown.row);
  const reason = outboundBlock(setUpOf(shown), (provider) => carriers.has(provider));
  return {
    ...connection,
    phone_number_count: shown.numbers,
    is_ready_for_outbound: reason === null,
    outbound_blocked_reason: reason,
    created_at,
    updated_at,
  };
}

/** The detail of contract 12.1. */
export function toDetail(shown: ShownConnection, carriers: OutboundCarriers): TelephonyConfigurationDetail {
  const { row, credentials } = shown;
  const canDial = (provider: string) => carriers.has(provider);
  const reason = outboundBlock(setUpOf(shown), canDial);
  const steps = setupSteps(setUpOf(shown), canDial).map(
    ({ key, title, description, isComplete, blocks }) => ({
      key,
      title,
      description,
      complete: isComplete,
      blocks_outbound: blocks !== null,
    }),
  );
  return {
    ...toConnection(row),
    credentials: shownCredentials(row.provider, credentials),
    sip_connectivity: null,
    setup_checklist: {
      ready_for_outbound: reason === null,
      outbound_blocked_reason: reason,
      steps,
      docs_url: isTelephonyProvider(row.provider) ? telephonyProvider(row.provider).docsUrl : '',
    },
    supports_trunks: false,
    trunks: [],
  };
}

/** A connection as the audit log compares it. */
export function auditedConnection(row: TelephonyConfigurationRow, credentials: Credentials): object {
  const { name, provider, is_default_outbound, inactive } = toConnection(row);
  return {
    name,
    provider,
    is_default_outbound,
    inactive,
    credentials: shownCredentials(provider, credentials),
  };
}

function toConnection({
  id,
  name,
  provider,
  connectivity,
  isDefaultOutbound,
  inactiveSince,
  inactiveReason,
  createdAt,
  updatedAt,
}: TelephonyConfigurationRow) {
  return {
    id,
    name,
    provider,
    connectivity,
    is_default_outbound: isDefaultOutbound === true,
    inactive: inactiveSince !== null,
    inactive_since: inactiveSince === null ? null : wireTimestamp(inactiveSince),
    inactive_reason: inactiveReason,
    created_at: wireTimestamp(createdAt),
    updated_at: wireTimestamp(updatedAt),
  };
}

/** All fields of the provider and no others: internal values stay hidden. */
function shownCredentials(provider: string, credentials: Credentials): Record<string, unknown> {
  const masked = maskCredentials(provider, credentials);
  // guarantee: connection-secrets-masked
  return Object.fromEntries(
    Object.keys(credentialFields(provider)).map((name) => [name, masked[name] ?? null]),
  );
}

const setUpOf = ({ row: { provider, inactiveSince }, credentials, activeNumbers }: ShownConnection) => ({
  provider,
  credentials,
  isInactive: inactiveSince !== null,
  activeNumbers,
});

/** The catalog of contract 12.1. */
export const providersMetadata: TelephonyProviders = {
  providers: telephonyProviderNames.map((provider) => {
    const { displayName, docsUrl, fields } = telephonyProvider(provider);
    return {
      provider,
      display_name: displayName,
      connectivity: 'api',
      fields: Object.entries(fields).map(
        ([name, { label, type, isRequired, isSecret, description, placeholder }]) => ({
          name,
          label,
          type,
          required: isRequired,
          sensitive: isSecret,
          description,
          placeholder,
          options: null,
          visible_when: null,
          section: null,
        }),
      ),
      docs_url: docsUrl,
    };
  }),
};

import { createHash } from 'node:crypto';
import { contactContext } from '../directory/contact-context.ts';
import type { Mapping } from '../directory/mapping.ts';
import type { TargetOutcome } from './outcome.ts';

export interface CampaignCall {
  campaignId: number;
  /** `source_id` of the campaign. */
  fileKey: string;
  /** Columns of the directory, in the order of the cells. */
  columns: readonly string[];
  mapping: Mapping;
  contact: { rowNumber: number; phone: string; identifier: string | null; cells: readonly string[] };
  provider: string;
  configurationId: number;
  /** The caller ID that the person sees, in E.164. */
  callerNumber: string;
  /** Null for the first attempt. */
  retry: { number: number; because: TargetOutcome } | null;
}

/**
 * Keys that the service reads back, or that name what serves the call. No column of a file can set them
 * (contract 5.3, row 3; 11.6).
 */
const protectedKeys: ReadonlySet<string> = new Set([
  'runtime_configuration',
  'mps_correlation_id',
  'external_pbx_call',
  'from_phone_number_id',
  'workflow_uuid',
  'agent_uuid',
  'api_key_id',
  'api_key_created_by',
  'trigger_mode',
  'is_retry',
  'retry_attempt',
  'retry_reason',
]);

/**
 * The name of a campaign's row in calls and in the systems behind them (contract 11.6). Retries have names of
 * their own.
 */
export function sourceUuid({
  fileKey,
  rowNumber,
  retryNumber,
}: {
  fileKey: string;
  rowNumber: number;
  retryNumber: number;
}): string {
  const source = createHash('md5').update(fileKey).digest('hex').slice(0, 8);
  return `csv_${source}_row_${rowNumber}${retryNumber === 0 ? '' : `_retry_${retryNumber}`}`;
}

/** Name of a campaign's call (contract 6.3). */
export function campaignCallName({
  campaignId,
  rowNumber,
}: {
  campaignId: number;
  rowNumber: number;
}): string {
  return `WR-CAMPAIGN-${campaignId}-${rowNumber}`;
}

/**
 * Initial context of a campaign's call (contract 11.4, 11.6): the row's fields under their own names, then
 * the keys of the service, which win. A key keeps the position of its first writer.
 */
export function campaignCallContext({
  campaignId,
  fileKey,
  columns,
  mapping,
  contact,
  provider,
  configurationId,
  callerNumber,
  retry,
}: CampaignCall): Record<string, unknown> {
  const row = contactContext({ columns, mapping, contact });
  const own = Object.entries(row).filter(([name]) => !protectedKeys.has(name));
  const added = {
    campaign_id: campaignId,
    provider,
    source_uuid: sourceUuid({ fileKey, rowNumber: contact.rowNumber, retryNumber: retry?.number ?? 0 }),
    caller_number: callerNumber,
    called_number: contact.phone,
    phone_number: contact.phone,
    direction: 'outbound',
    telephony_configuration_id: configurationId,
    ...(retry === null ? {} : { is_retry: true, retry_attempt: retry.number, retry_reason: retry.because }),
  };
  return Object.fromEntries([...own, ...Object.entries(added)]);
}

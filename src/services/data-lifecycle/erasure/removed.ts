/** Tables with the content of calls and contacts. */
export const erasedTables = [
  'turns',
  'failed_turns',
  'call_summaries',
  'journal_entries',
  'carrier_events',
  'phone_legs',
  'tool_runs',
  'extractions',
  'text_sessions',
  'calls',
  'deliveries',
  'delivery_attempts',
  'idempotency_keys',
  'audit_events',
  'call_recordings',
  'contacts',
  'campaign_targets',
  'number_dials',
  'suppressions',
] as const;

/** The number of rows that were deleted or emptied, by table. */
export type Removed = Partial<Record<(typeof erasedTables)[number], number>>;

export function addRemoved(...parts: readonly Removed[]): Removed {
  const sums: Removed = {};
  for (const part of parts)
    for (const table of erasedTables)
      if (part[table] !== undefined) sums[table] = (sums[table] ?? 0) + part[table];
  return sums;
}

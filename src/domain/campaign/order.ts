import type { CampaignRules } from './rules.ts';

const maxPriority = 1_000_000;
const rowsBehind = 1_000_000_000;

/**
 * The position of a contact among those never dialed; lower is earlier. An integer that a signed BIGINT
 * holds. With `closing_window`, the rows of a zone keep the file's order, and zones are taken by the time at
 * which they close. Priorities beyond a million count as a million.
 */
export function positionOf({
  startOrder,
  rowNumber,
  priority,
}: {
  startOrder: CampaignRules['startOrder'];
  rowNumber: number;
  priority: number;
}): number {
  switch (startOrder) {
    case 'file':
    case 'closing_window':
      return rowNumber;
    case 'latest_first':
      return -rowNumber;
    case 'priority':
      return rowNumber - Math.min(maxPriority, Math.max(-maxPriority, priority)) * rowsBehind;
  }
}

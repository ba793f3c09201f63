import { call } from '../../app/api.ts';
import type { DeliveryState } from './search.ts';

const pageSize = 100;
const maxCounted = 1000;

export interface DeliveryFilter {
  state?: DeliveryState;
  workflow_id?: number;
  node_id?: string;
  run_id?: number;
  from?: string;
  to: string;
}

export interface Counted {
  count: number;
  /** There are more than were counted. */
  isMore: boolean;
}

/** How many deliveries match, by reading pages of the list. */
export async function countDeliveries(filter: DeliveryFilter, signal: AbortSignal): Promise<Counted> {
  let count = 0;
  let cursor: string | null = null;
  do {
    const { body }: { body: { items: readonly unknown[]; next_cursor: string | null } } = await call(
      'get',
      '/webhook-deliveries',
      { query: { ...filter, limit: pageSize, ...(cursor === null ? {} : { cursor }) }, signal },
    );
    count += body.items.length;
    cursor = body.next_cursor;
  } while (cursor !== null && count < maxCounted);
  return { count, isMore: cursor !== null };
}

import { minuteOf, type Period, periods } from './period.ts';

export const deliveryStates = ['pending', 'succeeded', 'dead_letter'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export interface WebhooksSearch {
  state?: DeliveryState | undefined;
  agent?: number | undefined;
  /** The id of the call whose deliveries are listed. */
  call?: number | undefined;
  /** When they were made. */
  period?: Period | undefined;
  /** Bounds of the period `between`. */
  from?: string | undefined;
  to?: string | undefined;
  /** The endpoint whose deliveries are listed. */
  endpoint?: string | undefined;
  /** The delivery that is open. */
  delivery?: string | undefined;
}

/** Reads search parameters; what is unknown is left out. */
export function webhooksSearch({
  state,
  agent,
  call,
  period,
  from,
  to,
  endpoint,
  delivery,
}: Record<string, unknown>): WebhooksSearch {
  const known = deliveryStates.find((each) => each === state);
  const during = periods.find((each) => each === period);
  const [since, until] = during === 'between' ? [minuteOf(from), minuteOf(to)] : [];
  return {
    ...(known === undefined ? {} : { state: known }),
    ...(idOf(agent) === undefined ? {} : { agent: idOf(agent) }),
    ...(idOf(call) === undefined ? {} : { call: idOf(call) }),
    ...(during === undefined ? {} : { period: during }),
    ...(since === undefined ? {} : { from: since }),
    ...(until === undefined ? {} : { to: until }),
    ...(typeof endpoint === 'string' && endpoint !== '' ? { endpoint } : {}),
    ...(typeof delivery === 'string' && delivery !== '' ? { delivery } : {}),
  };
}

function idOf(value: unknown): number | undefined {
  const id = Number(value);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

export const deliveryStates = ['pending', 'succeeded', 'dead_letter'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export interface WebhooksSearch {
  state?: DeliveryState | undefined;
  agent?: number | undefined;
  /** The endpoint whose deliveries are listed. */
  endpoint?: string | undefined;
  /** The delivery that is open. */
  delivery?: string | undefined;
}

/** Reads search parameters; what is unknown is left out. */
export function webhooksSearch({
  state,
  agent,
  endpoint,
  delivery,
}: Record<string, unknown>): WebhooksSearch {
  const known = deliveryStates.find((each) => each === state);
  const id = Number(agent);
  return {
    ...(known === undefined ? {} : { state: known }),
    ...(Number.isInteger(id) && id > 0 ? { agent: id } : {}),
    ...(typeof endpoint === 'string' && endpoint !== '' ? { endpoint } : {}),
    ...(typeof delivery === 'string' && delivery !== '' ? { delivery } : {}),
  };
}

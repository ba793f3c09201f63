import type { DeliveryRow } from '../../../db/tables/deliveries.ts';
import { nodeKeyOf } from './lease.ts';

export interface PlaceLimits {
  /** Attempts at a time. */
  attempts: number;
  /** Attempts at a time for one webhook node, so that a slow receiver holds nobody else. */
  attemptsOfNode: number;
}

/** The attempts that a pump makes at a time. A place is free again once its attempt is recorded. */
export class Places {
  readonly #limits: PlaceLimits;
  /** Node keys by the uuid of the delivery. */
  readonly #taken = new Map<string, string>();
  readonly #ofNode = new Map<string, { agentId: number; nodeId: string; count: number }>();

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  get free(): number {
    return this.#limits.attempts - this.#taken.size;
  }

  roomOf(nodeKey: string): number {
    return this.#limits.attemptsOfNode - (this.#ofNode.get(nodeKey)?.count ?? 0);
  }

  fullNodes(): { agentId: number; nodeId: string }[] {
    return [...this.#ofNode.values()].filter(({ count }) => count >= this.#limits.attemptsOfNode);
  }

  /** Whether a delivery may wait for a place. */
  isCrowded(): boolean {
    return this.free <= 0 || this.fullNodes().length > 0;
  }

  take(delivery: Pick<DeliveryRow, 'uuid' | 'agentId' | 'nodeId'>): void {
    const key = nodeKeyOf(delivery);
    const { agentId, nodeId } = delivery;
    this.#taken.set(delivery.uuid, key);
    // guarantee: slow-receiver-holds-nobody
    this.#ofNode.set(key, { agentId, nodeId, count: (this.#ofNode.get(key)?.count ?? 0) + 1 });
  }

  /** Does nothing for a delivery without a place. */
  leave({ uuid }: Pick<DeliveryRow, 'uuid'>): void {
    const key = this.#taken.get(uuid);
    const node = key === undefined ? undefined : this.#ofNode.get(key);
    if (key === undefined || node === undefined) return;
    this.#taken.delete(uuid);
    if (node.count === 1) this.#ofNode.delete(key);
    else this.#ofNode.set(key, { ...node, count: node.count - 1 });
  }
}

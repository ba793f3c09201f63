import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliveryRow } from '../../../db/tables/deliveries.ts';
import { UnavailableError } from '../../../domain/errors.ts';
import { guarded } from '../../../runtime/guarded.ts';
import { idAttributes } from '../../../runtime/span-names.ts';
import { failureKind, inSpan } from '../../../runtime/tracing.ts';
import { recordedOf, sendAttempt } from '../deliveries/send.ts';
import type { PumpDeps } from './deps.ts';
import { followUp } from './follow.ts';
import { Handover } from './handover.ts';
import { leaseDeliveries, nodeKeyOf, renewLeases } from './lease.ts';
import { readPageSecrets, type PageSecrets } from './page-secrets.ts';
import { Places, type PlaceLimits } from './places.ts';
import { recordOutcomes, type Outcome } from './record.ts';

export interface PumpLimits extends PlaceLimits {
  /** Deliveries leased in one transaction. */
  page: number;
  /** Starts of Workflows at a time, and how many may wait for one. */
  followUps: number;
  followUpsHeld: number;
  /** Outcomes recorded in one transaction. */
  record: number;
  /** How long a pump that does not renew its leases is presumed to live. */
  leaseMs: number;
  renewalMs: number;
  /** How soon a delivery that another process committed is found. */
  pollMs: number;
  /** How soon a follow-up is repeated that Temporal did not accept. */
  followUpRetryMs: number;
  /** How soon an attempt is repeated that failed in the service itself. */
  faultRetryMs: number;
  /** How long attempts may go on after `stop`. */
  stopMs: number;
}

export const pumpLimits: PumpLimits = {
  page: 50,
  attempts: 512,
  attemptsOfNode: 50,
  followUps: 16,
  followUpsHeld: 200,
  record: 100,
  leaseMs: 10_000,
  renewalMs: 3000,
  pollMs: 500,
  followUpRetryMs: 10_000,
  faultRetryMs: 30_000,
  stopMs: 5000,
};

/** Sends the first attempts of webhooks. */
export interface DeliveryPump {
  /** Deliveries were committed that no pump holds: look for them now. */
  wake(): void;
  /** Begins a transaction that may insert deliveries for this pump (`committingDeliveries`). */
  handover(): Handover;
  /** Leases nothing more, and ends when each leased delivery is recorded or given back. */
  stop(): Promise<void>;
}

/**
 * Starts the pump of this process. It gets deliveries as this process commits them and leases pages of others,
 * sends them concurrently and records the outcomes in micro-batches. No page waits for another, and no delivery for a slow one of another node. A
 * failed delivery goes on as `deliveryWorkflow` from its second attempt. What a dead pump held is leased again
 * when its lease has expired. While MySQL is away the pump waits, and keeps what it knows.
 */
export function startDeliveryPump(
  deps: PumpDeps,
  { pumpId, limits: changes = {} }: { pumpId: string; limits?: Partial<PumpLimits> },
): DeliveryPump {
  const pump = new Pump(deps, { pumpId, limits: { ...pumpLimits, ...changes } });
  const ended = pump.run();
  return {
    wake: () => pump.wake(),
    handover: () => pump.handover(),
    stop: async () => {
      pump.stop();
      await ended;
    },
  };
}

class Pump {
  readonly #deps: PumpDeps;
  readonly #pumpId: string;
  readonly #limits: PumpLimits;
  /** Row ids of the deliveries that this pump holds. */
  readonly #held = new Set<number>();
  readonly #places: Places;
  readonly #outcomes: Outcome[] = [];
  /** Handed over and not sent yet. */
  readonly #accepted: DeliveryRow[] = [];
  readonly #following: DeliveryRow[] = [];
  readonly #stopping = new AbortController();
  readonly #aborting = new AbortController();
  #followUps = 0;
  #isRecording = false;
  #isSendingAccepted = false;
  #isWoken = false;
  #ring: () => void = () => undefined;
  /**
   * Since when MySQL has answered without a break. After one, a living pump has the time to renew its leases
   * before another takes them over.
   */
  #reachableSince = performance.now();
  /** Until then no follow-up is begun. */
  #temporalAwayUntil = 0;

  constructor(deps: PumpDeps, { pumpId, limits }: { pumpId: string; limits: PumpLimits }) {
    this.#deps = deps;
    this.#pumpId = pumpId;
    this.#limits = limits;
    this.#places = new Places(limits);
  }

  wake(): void {
    this.#isWoken = true;
    this.#ring();
  }

  handover(): Handover {
    return new Handover({
      pumpId: this.#pumpId,
      leaseMs: this.#limits.leaseMs,
      clock: this.#deps.clock,
      reserve: (delivery) => {
        const isFree = this.#places.free > 0 && this.#places.roomOf(nodeKeyOf(delivery)) > 0;
        if (!isFree || this.#stopping.signal.aborted) return false;
        this.#places.take(delivery);
        return true;
      },
      release: (delivery) => this.#places.leave(delivery),
      accept: (rows) => this.#accept(rows),
    });
  }

  async run(): Promise<void> {
    const renew = guarded(
      () => this.#renew(),
      (error) => this.#noteFault('The pump of webhooks could not renew its leases', error),
    );
    const renewal = setInterval(renew, this.#limits.renewalMs);
    try {
      while (!this.#stopping.signal.aborted) {
        this.#isWoken = false;
        if (!(await this.#takePage())) await this.#waitToBeWoken();
      }
      while (this.#held.size > 0) await sleep(10);
    } finally {
      clearInterval(renewal);
    }
  }

  stop(): void {
    this.#stopping.abort();
    this.#ring();
    this.#leave(this.#following.splice(0), 0);
    setTimeout(() => this.#aborting.abort(), this.#limits.stopMs).unref();
  }

  async #waitToBeWoken(): Promise<void> {
    if (this.#isWoken || this.#stopping.signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#limits.pollMs);
      this.#ring = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#ring = () => undefined;
  }

  /** Leases a page and begins to send it. Whether there may be more to lease. */
  async #takePage(): Promise<boolean> {
    const { page, followUpsHeld, followUpRetryMs, leaseMs } = this.#limits;
    const limit = Math.min(page, this.#places.free);
    if (limit <= 0) return false;
    const isTemporalAway = performance.now() < this.#temporalAwayUntil;
    try {
      const { send, follow, isFull } = await leaseDeliveries(this.#deps, {
        pumpId: this.#pumpId,
        limit,
        roomOf: (nodeKey) => this.#places.roomOf(nodeKey),
        fullNodes: this.#places.fullNodes(),
        followRoom: isTemporalAway ? 0 : followUpsHeld - this.#following.length,
        postponeMs: followUpRetryMs,
        leaseMs,
        held: this.#held,
        takesOver: performance.now() - this.#reachableSince >= leaseMs,
      });
      for (const delivery of send) this.#places.take(delivery);
      for (const { id } of [...send, ...follow]) this.#held.add(id);
      this.#follow(follow);
      if (send.length > 0) void this.#sendPage(send);
      return isFull;
    } catch (error) {
      this.#noteFault('The pump of webhooks could not look for deliveries', error);
      return false;
    }
  }

  #accept(rows: readonly DeliveryRow[]): void {
    for (const { id } of rows) this.#held.add(id);
    this.#accepted.push(...rows);
    if (!this.#isSendingAccepted) void this.#sendAccepted();
  }

  /** What is handed over while a page reads its secrets makes the next page. */
  async #sendAccepted(): Promise<void> {
    this.#isSendingAccepted = true;
    while (this.#accepted.length > 0) await this.#sendPage(this.#accepted.splice(0));
    this.#isSendingAccepted = false;
  }

  async #sendPage(page: readonly DeliveryRow[]): Promise<void> {
    try {
      const secrets = await readPageSecrets(this.#deps, page);
      for (const delivery of page) void this.#send(delivery, secrets);
    } catch (error) {
      this.#noteFault('The pump of webhooks could not read what a page needs', error);
      this.#leave(page, this.#limits.pollMs);
    }
  }

  async #send(delivery: DeliveryRow, secrets: PageSecrets): Promise<void> {
    const { clock, tracing, onAttempt } = this.#deps;
    const at = clock.now();
    const { signal } = this.#aborting;
    const begun = performance.now();
    const seconds = () => (performance.now() - begun) / 1000;
    try {
      const answer = await inSpan(tracing, spanOf(delivery), async () =>
        secrets.isOff(delivery)
          ? null
          : await sendAttempt({
              deps: this.#deps,
              delivery,
              attempt: 1,
              at,
              signal,
              ...(await secrets.secretsOf(delivery)),
            }),
      );
      if (answer?.kind === 'failed' && answer.reason === 'aborted') signal.throwIfAborted();
      const recorded = recordedOf({ answer, at, now: clock.now() });
      onAttempt(recorded.judgment.kind, seconds());
      this.#end({ kind: 'attempted', delivery, at, recorded });
    } catch (error) {
      if (signal.aborted) return this.#leave([delivery], 0);
      onAttempt('error', seconds());
      this.#noteFault('The first attempt of a webhook failed in the service', error, delivery);
      this.#leave([delivery], this.#limits.faultRetryMs);
    }
  }

  #follow(deliveries: readonly DeliveryRow[]): void {
    if (this.#stopping.signal.aborted) return this.#leave(deliveries, 0);
    this.#following.push(...deliveries);
    while (this.#followUps < this.#limits.followUps && this.#following.length > 0)
      void this.#followNext(this.#following.shift());
  }

  async #followNext(delivery: DeliveryRow | undefined): Promise<void> {
    if (delivery === undefined) return;
    this.#followUps += 1;
    try {
      const { tracing } = this.#deps;
      await inSpan(tracing, { ...spanOf(delivery), name: 'FollowUpDelivery' }, () =>
        followUp(this.#deps, delivery),
      );
      this.#end({ kind: 'done', delivery });
    } catch (error) {
      this.#noteFault('A webhook could not be handed to its Workflow', error, delivery);
      const { followUpRetryMs } = this.#limits;
      this.#leave([delivery], followUpRetryMs);
      if (error instanceof UnavailableError && error.dependency === 'temporal') {
        this.#temporalAwayUntil = performance.now() + followUpRetryMs / 2;
        this.#leave(this.#following.splice(0), followUpRetryMs);
      }
    }
    this.#followUps -= 1;
    this.#follow([]);
  }

  #leave(deliveries: readonly DeliveryRow[], delayMs: number): void {
    for (const delivery of deliveries) this.#end({ kind: 'left', delivery, delayMs });
  }

  #end(outcome: Outcome): void {
    this.#outcomes.push(outcome);
    if (!this.#isRecording) void this.#record();
  }

  /**
   * Records what has ended, in batches, until nothing is left. One outcome that cannot be recorded holds up no
   * other: after a fault the next ones are recorded one by one, in growing batches again.
   */
  async #record(): Promise<void> {
    this.#isRecording = true;
    // What ends in the same moment is recorded together.
    await new Promise((resolve) => setImmediate(resolve));
    let size = this.#limits.record;
    while (this.#outcomes.length > 0) {
      const outcomes = this.#outcomes.slice(0, size);
      try {
        const following = await recordOutcomes(this.#deps, { pumpId: this.#pumpId, outcomes });
        this.#outcomes.splice(0, outcomes.length);
        this.#recorded(outcomes, following);
        size = Math.min(this.#limits.record, size * 2);
      } catch (error) {
        this.#noteFault('The pump of webhooks could not record outcomes', error);
        if (this.#aborting.signal.aborted) {
          this.#held.clear();
          break;
        }
        if (!(error instanceof UnavailableError)) {
          size = 1;
          this.#outcomes.push(...this.#outcomes.splice(0, outcomes.length));
        }
        await sleep(this.#limits.pollMs);
      }
    }
    this.#isRecording = false;
  }

  #recorded(outcomes: readonly Outcome[], following: readonly DeliveryRow[]): void {
    const isCrowded = this.#places.isCrowded();
    for (const outcome of outcomes) {
      this.#held.delete(outcome.delivery.id);
      this.#places.leave(outcome.delivery);
      if (outcome.kind === 'attempted') this.#logAttempt(outcome);
    }
    for (const { id } of following) this.#held.add(id);
    this.#follow(following);
    if (isCrowded) this.wake();
  }

  async #renew(): Promise<void> {
    const { leaseMs } = this.#limits;
    await renewLeases(this.#deps, { pumpId: this.#pumpId, ids: [...this.#held], leaseMs });
  }

  #logAttempt({ delivery, recorded }: Extract<Outcome, { kind: 'attempted' }>): void {
    const { uuid: deliveryUuid, organizationId, callId } = delivery;
    const { statusCode, durationMs, judgment } = recorded;
    this.#deps.log.info(
      {
        deliveryUuid,
        attempt: 1,
        organizationId,
        callId,
        statusCode,
        durationMs,
        outcome: judgment.kind,
      },
      'A webhook attempt has ended',
    );
  }

  /** Only the ids and the kind are logged: the text of an error may hold personal data. */
  #noteFault(what: string, error: unknown, delivery?: DeliveryRow): void {
    if (error instanceof UnavailableError && error.dependency === 'mysql')
      this.#reachableSince = performance.now();
    const ids =
      delivery === undefined
        ? {}
        : {
            deliveryUuid: delivery.uuid,
            organizationId: delivery.organizationId,
            callId: delivery.callId,
          };
    this.#deps.log.warn({ ...ids, fault: failureKind(error), pii: { error } }, what);
  }
}

const spanOf = (delivery: DeliveryRow) => ({
  name: 'AttemptDelivery',
  kind: 'internal' as const,
  parent: delivery.traceparent ?? '',
  attributes: {
    [idAttributes.deliveryUuid]: delivery.uuid,
    [idAttributes.attempt]: 1,
    [idAttributes.callId]: delivery.callId,
    [idAttributes.organizationId]: delivery.organizationId,
  },
});

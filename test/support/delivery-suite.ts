import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { createDeliveryWorld, type DeliveryWorld } from './delivery-world.ts';
import { startReceiver, type Receiver, type ReceiverOptions } from './receiver.ts';

/** Common parts of delivery tests: a world with a worker, and receivers that are closed after each test. */
export interface DeliverySuite {
  /** Available from the first test on. */
  readonly world: DeliveryWorld;
  receiverOf: (options?: ReceiverOptions) => Promise<Receiver>;
}

/** Registers the hooks in the calling file. */
export function deliverySuite(): DeliverySuite {
  let world: DeliveryWorld | undefined;
  const receivers: Receiver[] = [];

  beforeAll(async () => {
    world = await createDeliveryWorld();
    await world.startWorker();
  });
  afterEach(async () => {
    for (const receiver of receivers.splice(0)) await receiver.close();
  });
  afterAll(async () => {
    await world?.close();
  });

  return {
    get world() {
      if (world === undefined) throw new Error('the suite has not begun');
      return world;
    },
    receiverOf: async (options) => {
      const receiver = await startReceiver(options);
      receivers.push(receiver);
      return receiver;
    },
  };
}

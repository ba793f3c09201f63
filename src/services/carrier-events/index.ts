export { believe } from './believe.ts';
export type { CarrierEventDeps, SentWebhook } from './deps.ts';
export { receiveCallEvent, receiveLegEvent, receiveTransferEvent, type EventReceipt } from './receive.ts';
export { redeliverEvents } from './redeliver.ts';
export { storeEvent } from './store.ts';

export {
  type OutboundConfiguration,
  findOutbound,
  openCredentials,
  telephonyPlace,
} from './accounts/configurations.ts';
export { createConnection } from './accounts/create.ts';
export { deleteConnection } from './accounts/delete.ts';
export type { ConnectionDeps } from './accounts/deps.ts';
export { getConnection, listTrunks } from './accounts/get.ts';
export { listConnections } from './accounts/list.ts';
export { providersMetadata } from './accounts/mapper.ts';
export { reactivateConnection } from './accounts/reactivate.ts';
export { setDefaultConnection } from './accounts/set-default.ts';
export { updateConnection } from './accounts/update.ts';
export { countWarnings } from './accounts/warnings.ts';
export { findDialLimit, policyFault, ruleOf } from './dial-rule/dial-rule.ts';
export { readPolicy } from './dial-rule/read-policy.ts';
export { readWebhook } from './events/read-webhook.ts';
export type { CarrierEventDeps, SentWebhook } from './events/deps.ts';
export {
  type EventReceipt,
  receiveCallEvent,
  receiveLegEvent,
  receiveTransferEvent,
} from './events/receive.ts';
export { redeliverEvents } from './events/redeliver.ts';
export { storeEvent } from './events/store.ts';
export type { PhoneCallRef, PhoneDeps } from './legs/deps.ts';
export { type DialCallInput, type Dialed, dialCall } from './legs/dial-call.ts';
export { findMediaBegin } from './legs/find-media-begin.ts';
export { hangUpAll } from './legs/hang-up-all.ts';
export { type FoundDestination, parsed, readKept } from './legs/kept-destination.ts';
export {
  type Attached,
  type LegInput,
  answerCall,
  attachStream,
  hangUp,
  pollLeg,
  speakApology,
  startHold,
  stopHold,
} from './legs/leg-commands.ts';
export { type ReconciledDial, reconcileDial } from './legs/reconcile-dial.ts';
export {
  type ConnectTransferInput,
  type Connected,
  type DialTransferInput,
  type TransferDialed,
  connectTransfer,
  dialTransfer,
} from './legs/transfer.ts';
export { createPhoneNumber } from './numbers/create.ts';
export { deletePhoneNumber } from './numbers/delete.ts';
export { getPhoneNumber } from './numbers/get.ts';
export { listPhoneNumbers } from './numbers/list.ts';
export { setDefaultCaller } from './numbers/set-default-caller.ts';
export { updatePhoneNumber } from './numbers/update.ts';
export { askCarrier } from './outages/ask.ts';
export { noteDialAnswered, noteDialFault } from './outages/note-dial.ts';
export { findOutage, noteProbe } from './outages/read.ts';
export {
  type CallLimits,
  type OutboundCarrier,
  type OutboundCarriers,
  type TelephonyDeps,
  usualCallLimits,
} from './outbound.ts';

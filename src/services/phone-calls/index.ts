export type { LineRef, PhoneDeps } from './deps.ts';
export { hangUpAll } from './hang-up-all.ts';
export { dialCall, type DialCallInput, type Dialed } from './dial-call.ts';
export { endGivenUpLeg } from './end-given-up-leg.ts';
export { findMediaBegin } from './find-media-begin.ts';
export {
  answerCall,
  attachStream,
  hangUp,
  pollLeg,
  speakApology,
  startHold,
  stopHold,
  type Attached,
  type LegInput,
} from './leg-commands.ts';
export { reconcileDial, type ReconciledDial } from './reconcile-dial.ts';
export { resolveTransfer, type ResolvedTransfer, type ResolveTransferInput } from './resolve-transfer.ts';
export {
  connectTransfer,
  dialTransfer,
  type Connected,
  type ConnectTransferInput,
  type DialTransferInput,
  type TransferDialed,
} from './transfer.ts';

export { findActors } from './audit/actors.ts';
export { actorColumns, appendAudit } from './audit/append.ts';
export { refuseUnseen } from './audit/last-change.ts';
export type { CallRef } from './call-ref.ts';
export { type Actor, type ServiceContext, actingUserId, grantOf, grantedTo, may } from './context.ts';
export { csvLines } from './csv.ts';
export { matchesEdited, matchesTag, tagOf } from './entity-tag.ts';
export type { FileStore } from './files/deps.ts';
export {
  type AnnouncedFile,
  type GrantedUpload,
  type Presigning,
  grantLineUpload,
  grantUpload,
  presignUpload,
} from './files/presign.ts';
export { claimIdempotencyKey } from './idempotency/claim.ts';
export { completeIdempotencyKey } from './idempotency/complete.ts';
export { madeBefore, nameSubject } from './idempotency/current.ts';
export { forgetExpiredKeys } from './idempotency/forget-expired.ts';
export { once } from './idempotency/once.ts';
export { releaseIdempotencyKey } from './idempotency/release.ts';
export { inTurn } from './in-turn.ts';
export { lockOrganization } from './lock-organization.ts';
export { refusingMoved } from './moved-secret.ts';
export { definitionPlace, openerOf, resealerOf, sealerOf, settingsPlace } from './sealed-text.ts';
export { type TakenName, translateTakenName } from './taken-name.ts';
export { translateUnavailable } from './unavailable.ts';
export { wireTimestamp } from './wire-timestamp.ts';
export { maxWorkbookRows, workbookOf } from './workbook.ts';
export { type Write, type WriteContext, onBehalfOf, write } from './write.ts';

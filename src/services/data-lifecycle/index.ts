export { lockCall } from './erasure/lock-call.ts';
export { removeTranscript } from './erasure/remove-transcript.ts';
export { removeVariables } from './erasure/remove-variables.ts';
export { type RetentionDeps, type RetentionPage, applyRetention } from './retention/apply.ts';
export { forgetDials } from './retention/forget-dials.ts';
export { getRetentionPolicy } from './retention/get-policy.ts';
export { removeUnusedFiles } from './retention/remove-unused-files.ts';
export { setRetentionPolicy } from './retention/set-policy.ts';

export { applyRetention, type RetentionDeps, type RetentionPage } from './apply.ts';
export { forgetDials } from './forget-dials.ts';
export { getRetentionPolicy } from './get-policy.ts';
export { removeStrayFiles } from './remove-stray-files.ts';
export { setRetentionPolicy } from './set-policy.ts';

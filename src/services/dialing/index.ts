export { getDialPolicy } from './get-policy.ts';
export { hangUpCampaignCalls, type HangUpDeps } from './hang-up.ts';
export { isStopped } from './is-stopped.ts';
export { lockPolicy } from './lock-policy.ts';
export { readPolicy } from './read-policy.ts';
export { readSwitch } from './read-switch.ts';
export { setDialPolicy, type SetPolicyDeps } from './set-policy.ts';
export { resumeDialing, stopDialing } from './switch.ts';

export { changeWithin } from './change-judgment.ts';
export type { QaDeps } from './deps.ts';
export { giveUpJudgment, type GiveUpJudgmentInput } from './give-up.ts';
export { judgeCall, type JudgeCallInput, type JudgmentOutcome } from './judge-call.ts';

export { giveUpJudgment, type GiveUpJudgmentInput } from './give-up.ts';
export { leaveUnjudged } from './leave-unjudged.ts';
export { judgeCall, type JudgeCallInput, type JudgmentOutcome } from './judge-call.ts';

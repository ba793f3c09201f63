export { collectReply } from './collect-reply.ts';
export { askModel, type LiveAnswer, type ModelReply } from './ask-model.ts';
export { admitCall, type Admission } from './admit-call.ts';
export { commitTurn, type CommitTurnInput } from './commit-turn.ts';
export { converse, type ConverseInput, type StepAnswer } from './converse.ts';
export { failuresOf, type CallRef, type ConversationDeps } from './deps.ts';
export { extract, type Extracted, type ExtractInput } from './extract.ts';
export { fetchBeforeCall, type FetchBeforeCallInput, type FetchDeps } from './fetch-before-call.ts';
export type { EndedLeg, SpokenEnd } from './close-line.ts';
export {
  finalizeCall,
  finalizeWithin,
  type FinalizeDeps,
  type FailedExtraction,
  type Finalized,
  type FoundExtraction,
  type FinalizeCallInput,
  type QaNodeRef,
} from './finalize-call.ts';
export { growDispositionCodes } from './grow-disposition-codes.ts';
export { readJournal, writeJournal, type JournalWrite, type StepPlace } from './journal.ts';
export { findLiveSummary, loadLiveScene, loadSeatedScene, type LiveScene } from './live-scene.ts';
export { offerTools, toolMessages, type OfferedTool } from './offered-tools.ts';
export { lastCheckpoint } from './last-checkpoint.ts';
export { noteFailedTurn, type NoteFailedTurnInput } from './note-failed-turn.ts';
export { runTool, type RunToolInput, type ToolOutcome } from './run-tool.ts';
export { claimToolRun, recordToolRun } from './tool-claim.ts';
export { prepareDeliveries, prepareWithin, type PreparedDelivery } from './prepare-deliveries.ts';
export { requireKept } from './require-kept.ts';
export { rewindSession, type Rewound, type RewindSessionInput } from './rewind-session.ts';
export { summarize, type SummarizeInput } from './summary.ts';
export { loadAllTurns, loadTurns, nodeIn, type Scene } from './scene.ts';
export { greetingOf, transitionSpeechOf } from './written-lines.ts';
export { askOnce, noteWaste } from './wasted.ts';
export {
  addTokens,
  isTokens,
  modelUsage,
  noTokens,
  tokensOf,
  type ModelUsage,
  type TokensByModel,
} from './usage.ts';

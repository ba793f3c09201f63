export { admitCall, type Admission } from './admit-call.ts';
export { commitTurn, type CommitTurnInput } from './commit-turn.ts';
export { converse, type ConverseInput, type StepAnswer } from './converse.ts';
export type { CallRef, ConversationDeps } from './deps.ts';
export { extract, type Extracted, type ExtractInput } from './extract.ts';
export { finalizeCall, type FailedExtraction, type Finalized, type FoundExtraction, type FinalizeCallInput } from './finalize-call.ts';
export { noteFailedTurn, type NoteFailedTurnInput } from './note-failed-turn.ts';
export { prepareDeliveries, type PreparedDelivery } from './prepare-deliveries.ts';
export { loadTurns } from './scene.ts';

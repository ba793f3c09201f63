export { findFile } from './files/find.ts';
export { getFileMetadata } from './files/metadata.ts';
export type { CallEnd, ReportCallEnd } from './finish/call-end.ts';
export type { EndedLeg, SpokenEnd } from './finish/close-spoken.ts';
export { type ExtractInput, type Extracted, extract } from './finish/extract.ts';
export {
  type FailedExtraction,
  type FinalizeCallInput,
  type FinalizeDeps,
  type Finalized,
  type FoundExtraction,
  type QaNodeRef,
  finalizeCall,
  finalizeWithin,
} from './finish/finalize-call.ts';
export { prepareDeliveries, prepareWithin } from './finish/prepare-deliveries.ts';
export { previewWebhook } from './finish/preview-webhook.ts';
export { type Again } from './finish/qa/change-judgment.ts';
export { type CloseJudgingInput, type ClosedJudging, closeJudging } from './finish/qa/close-judging.ts';
export { type GiveUpJudgmentInput, giveUpJudgment } from './finish/qa/give-up.ts';
export { type JudgeCallInput, type JudgmentOutcome, judgeCall } from './finish/qa/judge-call.ts';
export { leaveUnjudged } from './finish/qa/leave-unjudged.ts';
export { requestJudgment } from './finish/qa/request-judgment.ts';
export { type RecordingDeps, type RecordingStore, assembleRecording } from './finish/recordings/assemble.ts';
export { removeRecordingFiles, removeRecordingRows } from './finish/recordings/erase.ts';
export { beginPiece, endPiece } from './finish/recordings/piece.ts';
export { type Asked, intervene } from './intervene/intervene.ts';
export { readFilters } from './records/filters.ts';
export { getCall } from './view/get.ts';
export { type CallMark, readCallMarks } from './view/marks.ts';
export { type CallParts, checkpointOf, readCallParts } from './view/parts.ts';
export { getLiveCall, liveRun } from './view/live.ts';
export { wireCallState } from './records/mapper.ts';
export { type ListCallsInput, listCalls } from './records/list.ts';
export { listedCallColumns } from './records/listed.ts';
export { cellText, toWorkflowRun } from './records/mapper.ts';
export { withPublicToken } from './records/public-access.ts';
export { findCallByPublicToken } from './records/public-token.ts';
export { extractedNames, reportCalls, reportOf } from './records/report.ts';
export { selectCalls } from './records/select.ts';
export { type Admission, admitCall } from './start/admit-call.ts';
export { callInputFor } from './start/call-input.ts';
export { type CreateCallDeps, createCall } from './start/create.ts';
export { freshCall } from './start/fresh-call.ts';
export type { InboundDeps } from './start/inbound/deps.ts';
export { takeInboundCall } from './start/inbound/take.ts';
export { initiateCall } from './start/initiate.ts';
export { phoneChannel } from './start/phone-channel.ts';
export { badRequest, requireConnection } from './start/refusals.ts';
export { refuseWithin } from './start/refuse.ts';
export { createPhoneCalls } from './start/start-call.ts';
export { triggerCall } from './start/trigger.ts';
export { offerWebCall } from './start/offer-web-call.ts';
export { startWebCall } from './start/web/start.ts';
export { takeWebSeat } from './start/web/take-seat.ts';
export { createTextSession } from './text/create.ts';
export { getTextSession } from './text/get.ts';
export { KeptTurns } from './text/kept-turns.ts';
export { endTextSession, rewindTextSession, sendMessage } from './text/send-message.ts';
export { type LiveAnswer, type ModelReply, askModel } from './turns/ask-model.ts';
export { type CommitTurnInput, commitTurn } from './turns/commit-turn.ts';
export { type ConverseInput, type StepAnswer, converse } from './turns/converse.ts';
export type { ConversationDeps } from './turns/deps.ts';
export { type FetchBeforeCallInput, type FetchDeps, fetchBeforeCall } from './turns/fetch-before-call.ts';
export { type JournalWrite, type StepPlace, readJournal, writeJournal } from './turns/journal.ts';
export { type LiveScene, findLiveSummary, loadLiveScene, loadSeatedScene } from './turns/live-scene.ts';
export { KeptScenes } from './turns/kept-scenes.ts';
export { type NoteFailedTurnInput, noteFailedTurn } from './turns/note-failed-turn.ts';
export { endsCall, type OfferedTool, offerTools, toolMessages } from './turns/offered-tools.ts';
export {
  type ResolveTransferInput,
  type ResolvedTransfer,
  resolveTransfer,
} from './turns/resolve-transfer.ts';
export { type RewindSessionInput, type Rewound, rewindSession } from './turns/rewind-session.ts';
export { type RunToolInput, type ToolOutcome, runTool } from './turns/run-tool.ts';
export { type Scene, nodeIn } from './turns/scene.ts';
export { type SummarizeInput, summarize } from './turns/summary.ts';
export { renderTranscript } from './turns/transcript.ts';
export type { ModelUsage } from './turns/usage.ts';
export { askOnce, noteWaste } from './turns/wasted.ts';
export { greetingOf, transitionSpeechOf } from './turns/written-lines.ts';
export { getDailyUsage } from './usage/by-day.ts';
export { getCurrentUsage } from './usage/current-period.ts';
export { getCallReport } from './usage/call-report.ts';
export { getDailyReport } from './usage/daily-report.ts';
export { listDailyRuns } from './usage/list-daily-runs.ts';
export { agentNames, listUsageRuns } from './usage/list-runs.ts';
export { reportUsageRuns } from './usage/report-runs.ts';

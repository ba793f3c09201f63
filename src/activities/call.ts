import { Context } from '@temporalio/activity';
import {
  admitCall,
  commitTurn,
  converse,
  extract,
  fetchBeforeCall,
  finalizeCall,
  noteFailedTurn,
  prepareDeliveries,
  rewindSession,
  runTool,
  summarize,
  type Admission,
  type ConversationDeps,
  type FinalizeDeps,
  type Extracted,
  type Finalized,
  type PreparedDelivery,
  type Rewound,
  type StepAnswer,
  type ToolOutcome,
  type CommitTurnInput,
  type ConverseInput,
  type ExtractInput,
  type FetchBeforeCallInput,
  type FetchDeps,
  type FinalizeCallInput,
  type NoteFailedTurnInput,
  type RewindSessionInput,
  type RunToolInput,
  type SummarizeInput,
  giveUpJudgment,
  judgeCall,
  type GiveUpJudgmentInput,
  type JudgeCallInput,
  type JudgmentOutcome,
} from '../services/calls/index.ts';
import type { CallRef } from '../services/kernel/index.ts';
import { translated, withAttempts } from './attempts.ts';

export type {
  Admission,
  CommitTurnInput,
  EndedLeg,
  Extracted,
  FailedExtraction,
  Finalized,
  FoundExtraction,
  PreparedDelivery,
  QaNodeRef,
  Rewound,
  SpokenEnd,
  StepAnswer,
} from '../services/calls/index.ts';

export type { JudgmentOutcome } from '../services/calls/index.ts';

export type CallActivities = ReturnType<typeof createCallActivities>;

/**
 * The longest pause that a provider may ask for where nobody waits; the end of a call waits half a minute for
 * extractions.
 */
const longestPauseBesideMs = 20_000;

/** Activities of `callWorkflow`; each is one verb of src/services/conversation. */
export function createCallActivities(deps: ConversationDeps & FetchDeps & FinalizeDeps) {
  const { log } = deps;
  return {
    /** Compare-and-set on the call's row: who wins runs the call. */
    async admitCall(input: CallRef): Promise<Admission> {
      return await translated({ log, ids: idsOf(input) }, () => admitCall({ deps, input }));
    },

    /** The customer's own values, before the agent speaks. One attempt, never repeated. */
    async fetchBeforeCall(input: FetchBeforeCallInput): Promise<void> {
      const signal = Context.current().cancellationSignal;
      await translated({ log, ids: idsOf(input) }, () => fetchBeforeCall({ deps, input, signal }));
    },

    /** One reply of the model at one node. Writes nothing. */
    async converse(input: ConverseInput): Promise<StepAnswer> {
      const ids = { ...idsOf(input), turnIndex: input.step.turnIndex, nodeId: input.step.nodeId };
      return await withAttempts({ log, ids }, (signal) => converse({ deps, input, signal }));
    },

    /** One tool that the model called. Its request is sent at most once. */
    async runTool(input: RunToolInput): Promise<ToolOutcome> {
      const ids = { ...idsOf(input), turnIndex: input.turnIndex, callIndex: input.callIndex };
      return await withAttempts({ log, ids }, (signal) => runTool({ deps, input, signal }));
    },

    /** A turn and what follows from it, in one transaction; harmless when it is there already. */
    async commitTurn(input: CommitTurnInput): Promise<void> {
      await translated({ log, ids: { ...idsOf(input), turnIndex: input.checkpoint.turnIndex } }, () =>
        commitTurn({ deps, input }),
      );
    },

    /** Marks the session as failed; the conversation is as it was. */
    async noteFailedTurn(input: NoteFailedTurnInput): Promise<void> {
      await translated({ log, ids: { ...idsOf(input), failures: input.failures } }, () =>
        noteFailedTurn({ deps, input }),
      );
    },

    /** Back to an earlier turn, in one transaction; harmless when it is done already. */
    async rewindSession(input: RewindSessionInput): Promise<Rewound> {
      return await translated({ log, ids: { ...idsOf(input), revision: input.checkpoint.revision } }, () =>
        rewindSession({ deps, input }),
      );
    },

    /** What was said so far, in short, for later prompts. One attempt. */
    async summarize(input: SummarizeInput): Promise<void> {
      const signal = Context.current().cancellationSignal;
      await translated({ log, ids: { ...idsOf(input), turnIndex: input.turnIndex } }, () =>
        summarize({ deps, input, signal }),
      );
    },

    /** Values of one node's variables, read out of the transcript by the model. */
    async extract(input: ExtractInput): Promise<Extracted> {
      const ids = { ...idsOf(input), nodeId: input.request.nodeId, point: input.request.point };
      return await withAttempts({ log, ids, longestPauseMs: longestPauseBesideMs }, (signal) =>
        extract({ deps, input, signal }),
      );
    },

    /** The complete record of an ended call, in one transaction; harmless when it is complete already. */
    async finalizeCall(input: FinalizeCallInput): Promise<Finalized> {
      return await translated({ log, ids: idsOf(input) }, () => finalizeCall({ deps, input }));
    },

    /** An ended call by one QA node; what was judged already is not asked again. */
    async judgeCall(input: JudgeCallInput): Promise<JudgmentOutcome> {
      const ids = { ...idsOf(input), nodeId: input.nodeId };
      return await withAttempts({ log, ids, longestPauseMs: longestPauseBesideMs }, (signal) =>
        judgeCall({ deps, input, signal }),
      );
    },

    /** The same QA node without a result: its error is noted, and nothing that comes later changes it. */
    async giveUpJudgment(input: GiveUpJudgmentInput): Promise<JudgmentOutcome> {
      return await translated({ log, ids: { ...idsOf(input), nodeId: input.nodeId } }, () =>
        giveUpJudgment({ deps, input }),
      );
    },

    /** Renders each webhook once; what is rendered already is answered as it is. */
    async prepareDeliveries(input: CallRef): Promise<PreparedDelivery[]> {
      return await translated({ log, ids: idsOf(input) }, () => prepareDeliveries({ deps, input }));
    },
  };
}

function idsOf({ callId, organizationId }: CallRef) {
  return { callId, organizationId };
}

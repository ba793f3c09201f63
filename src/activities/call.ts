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
  closeJudging,
  giveUpJudgment,
  judgeCall,
  type CloseJudgingInput,
  type ClosedJudging,
  type GiveUpJudgmentInput,
  type JudgeCallInput,
  type JudgmentOutcome,
} from '../services/calls/index.ts';
import type { CallRef } from '../services/kernel/index.ts';
import type { Line } from '../domain/call/line.ts';
import { translated, withAttempts } from './attempts.ts';

export type {
  Again,
  Admission,
  CommitTurnInput,
  EndedLeg,
  Extracted,
  FailedExtraction,
  Finalized,
  FoundExtraction,
  QaNodeRef,
  Rewound,
  SpokenEnd,
  StepAnswer,
} from '../services/calls/index.ts';

export type { ClosedJudging, JudgmentOutcome } from '../services/calls/index.ts';

export type CallActivities = ReturnType<typeof createCallActivities>;

/** Maximum pause in background work; the end of a call waits half a minute for extractions. */
const maxBackgroundPauseMs = 20_000;

/** Activities of `callWorkflow`; each calls one function of src/services/calls. */
export function createCallActivities(deps: ConversationDeps & FetchDeps & FinalizeDeps) {
  const { log } = deps;
  return {
    /** Admits the call by a compare-and-set on its row: the winner runs the call. */
    async admitCall(input: CallRef): Promise<Admission> {
      return await translated({ log, ids: idsOf(input) }, () => admitCall({ deps, input }));
    },

    /** Fetches the customer's values before the agent speaks. There is one attempt. */
    async fetchBeforeCall(input: FetchBeforeCallInput): Promise<void> {
      const signal = Context.current().cancellationSignal;
      await translated({ log, ids: idsOf(input) }, () => fetchBeforeCall({ deps, input, signal }));
    },

    /** Asks the model for one reply at one node, and writes the turn that it ends. It is idempotent. */
    async converse(input: ConverseInput): Promise<StepAnswer> {
      const ids = { ...idsOf(input), turnIndex: input.step.turnIndex, nodeId: input.step.nodeId };
      const isRepeated = Context.current().info.attempt > 1;
      return await withAttempts({ log, ids }, (signal) => converse({ deps, input, signal, isRepeated }));
    },

    /** Runs one tool that the model called. Its request is sent at most once. */
    async runTool(input: RunToolInput): Promise<ToolOutcome> {
      const ids = { ...idsOf(input), turnIndex: input.turnIndex, callIndex: input.callIndex };
      return await withAttempts({ log, ids }, (signal) => runTool({ deps, input, signal }));
    },

    /** Writes a turn that no reply has ended, and the changes that follow from it. It is idempotent. */
    async commitTurn(input: CommitTurnInput): Promise<void> {
      await translated({ log, ids: { ...idsOf(input), turnIndex: input.checkpoint.turnIndex } }, () =>
        commitTurn({ deps, input }),
      );
    },

    /** Marks the session as failed; the conversation stays unchanged. Returns the lines of a turn that is committed. */
    async noteFailedTurn(input: NoteFailedTurnInput): Promise<Line[] | null> {
      return await translated({ log, ids: { ...idsOf(input), failures: input.failures } }, () =>
        noteFailedTurn({ deps, input }),
      );
    },

    /** Rewinds to an earlier turn in one transaction. It is idempotent. */
    async rewindSession(input: RewindSessionInput): Promise<Rewound> {
      return await translated({ log, ids: { ...idsOf(input), revision: input.checkpoint.revision } }, () =>
        rewindSession({ deps, input }),
      );
    },

    /** Summarizes the conversation so far for later prompts. There is one attempt. */
    async summarize(input: SummarizeInput): Promise<void> {
      const signal = Context.current().cancellationSignal;
      await translated({ log, ids: { ...idsOf(input), turnIndex: input.turnIndex } }, () =>
        summarize({ deps, input, signal }),
      );
    },

    /** Lets the model read one node's variables from the transcript. */
    async extract(input: ExtractInput): Promise<Extracted> {
      const ids = { ...idsOf(input), nodeId: input.request.nodeId, point: input.request.point };
      return await withAttempts({ log, ids, maxPauseMs: maxBackgroundPauseMs }, (signal) =>
        extract({ deps, input, signal }),
      );
    },

    /** Completes the record of an ended call in one transaction. It is idempotent. */
    async finalizeCall(input: FinalizeCallInput): Promise<Finalized> {
      return await translated({ log, ids: idsOf(input) }, () => finalizeCall({ deps, input }));
    },

    /** Judges an ended call by one QA node. Stored judgments are not requested again. */
    async judgeCall(input: JudgeCallInput): Promise<JudgmentOutcome> {
      const ids = { ...idsOf(input), nodeId: input.nodeId };
      return await withAttempts({ log, ids, maxPauseMs: maxBackgroundPauseMs }, (signal) =>
        judgeCall({ deps, input, signal }),
      );
    },

    /** Closes a QA node's result with an error, which stays final. */
    async giveUpJudgment(input: GiveUpJudgmentInput): Promise<JudgmentOutcome> {
      return await translated({ log, ids: { ...idsOf(input), nodeId: input.nodeId } }, () =>
        giveUpJudgment({ deps, input }),
      );
    },

    /** Ends a judgment that was asked for: it replaces the former one as a whole, or not at all. */
    async closeJudging(input: CloseJudgingInput): Promise<ClosedJudging> {
      return await translated({ log, ids: idsOf(input) }, () => closeJudging({ deps, input }));
    },

    /** Renders each webhook once, for the pump to send. Returns how many the call has. */
    async prepareDeliveries(input: CallRef): Promise<number> {
      return await translated({ log, ids: idsOf(input) }, () => prepareDeliveries({ deps, input }));
    },
  };
}

function idsOf({ callId, organizationId }: CallRef) {
  return { callId, organizationId };
}

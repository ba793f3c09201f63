import {
  beginTurn,
  finishTurn,
  nextStep,
  recordStep,
  type TurnStart,
} from '../../../src/domain/call/turn.ts';
import { initialCheckpoint, type Checkpoint } from '../../../src/domain/call/checkpoint.ts';
import type { Line } from '../../../src/domain/call/line.ts';
import { timeoutsMs } from '../../../src/domain/declaration.ts';
import {
  admitCall,
  converse,
  finalizeCall,
  type CommitTurnInput,
  type ConversationDeps,
  type FinalizeDeps,
} from '../../../src/services/calls/index.ts';
import type { CallInput, CallStarter, SessionOutcome } from '../../../src/temporal/port.ts';

interface LiveSession {
  input: CallInput;
  checkpoint: Checkpoint;
}

/**
 * The cost of a turn without Temporal: the same verbs on the same MySQL and the same model, called one after
 * the other in the API's own process. It is only a baseline: a call dies with this process, there are no
 * retries and no locks, and features that the benchmark's agent does not use (tools, extraction, rewind,
 * webhooks) are missing.
 */
export function createDirectCalls(deps: ConversationDeps & FinalizeDeps): CallStarter {
  const sessions = new Map<string, LiveSession>();
  const sessionOf = (callUuid: string): LiveSession => {
    const session = sessions.get(callUuid);
    if (session === undefined) throw new Error('This process does not have that call');
    return session;
  };

  return {
    async openTextSession(input) {
      const session = { input, checkpoint: initialCheckpoint };
      sessions.set(input.callUuid, session);
      await admitCall({ deps, input });
      return await takeTurn(deps, session, null);
    },
    async sendMessage({ callUuid, text }) {
      const session = sessionOf(callUuid);
      const at = deps.clock.now().toISOString();
      return await takeTurn(deps, session, {
        speaker: 'user',
        text,
        at,
        nodeId: session.checkpoint.nodeId,
        kind: 'utterance',
      });
    },
    async endSession({ callUuid }) {
      const { input, checkpoint } = sessionOf(callUuid);
      const last = { ...checkpoint, revision: checkpoint.revision + 1 };
      await finalizeCall({
        deps,
        input: {
          callId: input.callId,
          organizationId: input.organizationId,
          reason: 'user_hangup',
          checkpoint: last,
          extractions: [],
          failedExtractions: [],
        },
      });
      sessions.delete(callUuid);
      return { kind: 'answered', revision: last.revision };
    },
    rewind: () => Promise.reject(new Error('The baseline has no rewind')),
    intervene: () => Promise.reject(new Error('The baseline has no spoken calls')),
    startPhoneCall: noPhone,
    startCall: noPhone,
    cancelCall: noPhone,
    takeInbound: noPhone,
    signalCarrierEvent: noPhone,
    mediaBegan: noPhone,
    seatLost: noPhone,
    describeState: () => Promise.resolve(null),
    uiLink: () => null,
  };
}

const noPhone = () => Promise.reject(new Error('The baseline has no phone'));

/** Like src/workflows/call/turn.ts, without the Workflow. */
async function takeTurn(
  deps: ConversationDeps,
  session: LiveSession,
  utterance: Line | null,
): Promise<SessionOutcome> {
  const { callId, organizationId, versionId, plan } = session.input;
  const start: TurnStart = { kind: utterance === null ? 'opening' : 'utterance' };
  let turn = beginTurn({ plan, checkpoint: session.checkpoint, start });
  const lines = utterance === null ? [] : [utterance];
  const steps: CommitTurnInput['steps'] = [];
  const { nodeId: before, visitIndex } = session.checkpoint;
  const from = before === null ? null : { nodeId: before, nodeName: before, visitIndex };
  for (;;) {
    const step = nextStep(plan, turn);
    const { nodeId } = step;
    const { checkpoint, end } = finishTurn(plan, recordStep(plan, turn, { addedLines: 0, chosenEdge: null }));
    const answer = await converse({
      deps,
      input: {
        callId,
        organizationId,
        versionId,
        step,
        pendingLines: lines,
        ifLast: {
          checkpoint,
          failures: 0,
          from,
          nodeName: nodeId,
          steps,
          isOver: end !== null,
          isPlain:
            end === null &&
            from !== null &&
            checkpoint.nodesVisited.length === session.checkpoint.nodesVisited.length,
        },
      },
      signal: AbortSignal.timeout(timeoutsMs.turnStartToClose),
      isRepeated: false,
    });
    if (answer.commitMs !== undefined) {
      session.checkpoint = checkpoint;
      return { kind: 'answered', revision: checkpoint.revision };
    }
    const { lines: said, chosenEdge, usage, timings } = answer;
    lines.push(...said);
    steps.push({
      nodeId,
      nodeName: nodeId,
      visitIndex: step.visitIndex,
      lineCount: said.length,
      usage,
      timings,
    });
    turn = recordStep(plan, turn, { addedLines: said.length, chosenEdge });
  }
}

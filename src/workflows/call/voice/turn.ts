import type { Say, SpokenStep } from '../../../domain/call/voice.ts';
import { planNode } from '../../../domain/graph/plan.ts';
import type { TurnStart } from '../../../domain/call/turn.ts';
import type { Line } from '../state.ts';
import { commitInput, commitTurn, walkTurn, type AskedStep, type AskStep, type WalkedTurn } from '../turn.ts';
import { speak, type Spoken } from './speak.ts';
import type { SpokenCall } from './spoken-call.ts';
import { transferOf } from './transfer.ts';

/** What a turn begins with, and what the agent says first. */
export interface NextTurn {
  start: TurnStart;
  utterance: Line | null;
  say: Say;
  /** The agent says its words and does not listen. Absent = false. */
  isMute?: boolean;
}

/** After these the conversation does not continue. */
const ends: ReadonlySet<Spoken['after']['kind']> = new Set([
  'gone',
  'limit',
  'machine',
  'fax',
  'no_host',
  'time_up',
  'voicemail',
]);

/** After these the model's decision is void. */
const breaks: ReadonlySet<Spoken['after']['kind']> = new Set([...ends, 'fault', 'intervened']);

/**
 * Takes one spoken turn. Its commit runs behind the conversation, and until then the checkpoint is ahead of
 * MySQL. Returns what followed its last words.
 */
export async function takeSpokenTurn(
  spoken: SpokenCall,
  { start, utterance, say, isMute = false }: NextTurn,
): Promise<Spoken['after']> {
  const { call } = spoken;
  const { input, checkpoint } = call;
  const said: { after: Spoken['after'] } = { after: { kind: 'spoken' } };
  let first: Say | null = say;
  const ask: AskStep = async (step, pendingLines, toolRounds) => {
    const listens =
      !isMute && start.kind !== 'closing' && planNode(input.plan, step.nodeId)?.kind !== 'endCall';
    const { callId, organizationId, versionId } = input;
    const answer = await speak(spoken, {
      callId,
      organizationId,
      versionId,
      step,
      pendingLines: [...pendingLines],
      ...(toolRounds.length === 0 ? {} : { toolRounds: [...toolRounds] }),
      say: first ?? { kind: 'reply' },
      listens,
    });
    first = null;
    said.after = answer.after;
    return answer.step === null ? nothing : asked(spoken, answer.step, breaks.has(answer.after.kind));
  };
  const walked = await walkTurn({ input, checkpoint, start, utterance, ask, transfer: transferOf(spoken) });
  const isEmpty = walked.lines.length === 0 && walked.toolRounds.length === 0;
  if (!isEmpty || !ends.has(said.after.kind)) take(spoken, walked);
  return said.after;
}

const nothing: AskedStep = { lines: [], chosenEdge: null, record: { usage: null, timings: null } };

/** Converts a spoken step. The decision of a step that was broken off is dropped. */
function asked(spoken: SpokenCall, step: SpokenStep, isBroken: boolean): AskedStep {
  const { lines, chosenEdge, toolCalls, usage, timings, begunAt, allowInterrupt, wasInterrupted, next } =
    step;
  if (timings?.firstFrameSentMs != null && timings.speechEndMs !== null)
    spoken.waitsMs.push(timings.firstFrameSentMs - timings.speechEndMs);
  return {
    lines,
    chosenEdge: isBroken ? null : chosenEdge,
    ...(isBroken || toolCalls === undefined ? {} : { toolCalls }),
    record: {
      begunAt,
      allowInterrupt: allowInterrupt ?? false,
      usage: usage.llm,
      timings: null,
      spoken: {
        timings,
        usage: { tts: usage.tts, stt: usage.stt },
        wasInterrupted,
        ...(next.kind === 'fault' ? { fault: { stage: next.stage, message: next.message } } : {}),
      },
    },
  };
}

function take({ call, commits }: SpokenCall, walked: WalkedTurn): void {
  const { input, checkpoint: before } = call;
  const entered = call.advanced(walked);
  const { extractions, end } = walked.result;
  const request = { input, failures: 0, checkpoint: before };
  // Extractions and summaries read the turn from MySQL, so it is written before they start.
  if (extractions.length === 0 && !entered && end === null)
    commits.carry(commitInput(request, walked), () => commitTurn(request, walked));
  else
    commits.add(async () => {
      await commitTurn(request, walked);
      call.startExtractions(walked, entered);
    });
  call.endedBy(walked);
  call.showState();
}

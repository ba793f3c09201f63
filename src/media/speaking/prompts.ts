import type { Note } from '../../domain/call/intervention.ts';
import { exchangesAfter, type Exchange } from '../../domain/call/tool-round.ts';
import type { Step } from '../../domain/call/turn.ts';
import type { Say } from '../../domain/call/voice.ts';
import {
  askModel,
  offerTools,
  type ConversationDeps,
  type LiveScene,
  type OfferedTool,
} from '../../services/calls/index.ts';
import type { Ask } from './live-reply.ts';

/** Prepares the question to the model for a step, from data that was read from MySQL before. */
export function questionOf({
  deps,
  live,
  notes,
  step,
  exchanges,
  note,
}: {
  deps: ConversationDeps;
  live: LiveScene;
  /** Of supervisors. */
  notes: readonly Note[];
  step: Step;
  exchanges: readonly Exchange[];
  note?: string | undefined;
}): Ask {
  const { scene, by, summary } = live;
  const recent = exchangesAfter([...exchanges], summary?.lineCount ?? 0);
  const told = [...supervisorsNotes(notes, step), ...(note === undefined ? [] : [note])].join('\n\n');
  return (answer, signal) =>
    askModel({
      deps,
      by,
      scene,
      step,
      summary: summary?.text ?? null,
      exchanges: recent,
      tools: toolsOf(live, step),
      ...(told === '' ? {} : { note: told }),
      signal,
      live: answer,
    });
}

export function toolsOf({ scene, toolRows }: LiveScene, step: Step): OfferedTool[] {
  return step.mayUseTools ? offerTools({ scene, nodeId: step.nodeId, rows: toolRows }) : [];
}

/** The notes that count at the step. */
function supervisorsNotes(notes: readonly Note[], { visitIndex }: Step): string[] {
  const texts = notes.filter((each) => each.visitIndex === visitIndex).map(({ text }) => text);
  return texts.length === 0
    ? []
    : [
        `A supervisor who follows this call tells you, unheard by the caller: ${texts.join('\n')}\nAct on it from your next words on, and do not mention the supervisor.`,
      ];
}

/** An extra instruction for steps in which the model has no words of the caller to answer. */
export function noteFor(say: Say['kind'], entry: Step['entry']): string | undefined {
  if (say === 'check_in' || entry.kind === 'silence')
    return 'The caller has not said anything for a while. Ask in one short sentence whether they are still there.';
  if (entry.kind === 'goto')
    return 'A supervisor has moved the conversation to this step. Go on with it in one or two sentences, without an explanation.';
  if (say === 'voicemail_message')
    return 'An answering machine has answered and records now. Leave a short message of at most two sentences: who calls and why, as far as your instructions say. Nobody will answer.';
  return undefined;
}

export const continuationNote =
  'Your answer broke off after these words, for a technical reason. Go on exactly where it stopped: repeat nothing, do not greet, do not apologize. If it was complete, add nothing but what is missing.';

import { judgmentIn, withError } from '../../../../domain/qa/annotation.ts';
import type { ConversationDeps } from '../../turns/deps.ts';
import { changeJudgment } from './change-judgment.ts';
import { outcomeOf, type JudgeCallInput, type JudgmentOutcome } from './judge-call.ts';

export interface GiveUpJudgmentInput extends JudgeCallInput {
  /** Why there is no judgment; a fixed text. */
  error: string;
}

/** Closes a QA node's result with an error, so that webhooks can be sent. A closed result never changes. */
export async function giveUpJudgment({
  deps,
  input,
}: {
  deps: Pick<ConversationDeps, 'db'>;
  input: GiveUpJudgmentInput;
}): Promise<JudgmentOutcome> {
  const annotations = await changeJudgment({
    db: deps.db,
    ref: input,
    change: { annotations: (before) => withError(before, input.nodeId, input.error) },
  });
  return outcomeOf(judgmentIn(annotations, input.nodeId));
}

import { duration, lowered } from '../../app/format.ts';
import { outcomeWords } from '../../app/outcome-words.ts';
import { t } from '../../app/words.ts';
import type { WorkflowRun } from '../../../../src/contract/calls.ts';
import { channelOf, isFailure, tagsOf } from './facts.ts';

export const isSpoken = ({ mode }: Pick<WorkflowRun, 'mode'>): boolean => channelOf(mode) !== 'text';

/** What the call was, as a sentence. */
export function titleOf(run: WorkflowRun, who: string): string {
  const isText = !isSpoken(run);
  if (run.variables_erased_at !== null) return t('call.title.erased');
  if (run.state === 'initialized') return t('call.title.waiting', { who });
  if (!run.is_completed) return t(isText ? 'call.title.chatting' : 'call.title.talking', { who });
  const outcome = run.disposition ?? '';
  if (tagsOf(run).includes('not_connected'))
    return t('call.title.notReached', { who, outcome: lowered(outcomeWords(outcome)) });
  if (isFailure(outcome)) return t('call.title.failed', { who });
  const length = duration(run.call_duration_seconds ?? 0);
  return t(isText ? 'call.title.chatted' : 'call.title.talked', { who, length });
}

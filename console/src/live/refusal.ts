import { t } from '../app/words.ts';
import type { CallView } from './call-view.ts';
import { connectMs } from './web-call.ts';

/** Why a call did not begin, in sentences. */
export function refusalText({ fault }: Partial<Pick<CallView, 'fault'>>): string {
  const why =
    fault?.code === 'no_answer' ? t('live.noAnswer', { seconds: connectMs / 1000 }) : (fault?.message ?? '');
  return [t('live.refused'), why].filter(Boolean).join(' ');
}

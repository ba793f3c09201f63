import { Check, Circle, CircleDot, type LucideIcon, Minus } from 'lucide-react';
import { duration, timeOfDay } from '../../app/format.ts';
import { outcomeWords } from '../../app/outcome-words.ts';
import { t } from '../../app/words.ts';
import { cx } from '../../parts/cx.ts';
import { type CallFacts, type Step, stepsOf } from './steps.ts';

const icons: Record<Step['is'], LucideIcon> = { done: Check, now: CircleDot, later: Circle, skipped: Minus };
const looks: Record<Step['is'], string> = {
  done: 'text-ink',
  now: 'text-agent-text font-medium',
  later: 'text-hint',
  skipped: 'text-hint line-through',
};
const notBegun: CallFacts = { state: 'initialized', logs: null, gathered_context: null };

/** How far a call by phone is, in the words of its carrier. Null: it is about to begin. */
export function CallSteps({
  of,
}: {
  of: (CallFacts & { disposition: string | null; call_duration_seconds: number | null }) | null;
}) {
  const { steps, now, carrierWords } = stepsOf(of ?? notBegun);
  const seconds = of?.call_duration_seconds ?? null;
  return (
    <div className="grid w-full gap-3">
      <p role="status" className="flex flex-wrap gap-x-2">
        <span className="text-ink">
          {now === 'end' && of?.disposition != null
            ? outcomeWords(of.disposition)
            : t(`telephony.stepNow.${now}`)}
        </span>
        {now === 'end' && seconds !== null && seconds > 0 && (
          <span className="text-hint num">{duration(seconds)}</span>
        )}
      </p>
      <ol className="grid gap-1" aria-label={t('telephony.steps')}>
        {steps.map(({ id, is, at }) => {
          const Icon = icons[is];
          return (
            <li
              key={id}
              className={cx('flex items-center gap-2', looks[is])}
              aria-current={is === 'now' ? 'step' : undefined}
            >
              <Icon className="shrink-0" aria-hidden size={14} />
              {t(`telephony.step.${id}`)}
              {is === 'skipped' && <span className="sr-only">{t('telephony.skipped')}</span>}
              {at !== null && <span className="text-hint num ms-auto">{timeOfDay(new Date(at))}</span>}
            </li>
          );
        })}
      </ol>
      {carrierWords !== null && (
        <p className="text-muted text-12">
          {t('telephony.carrierSaid')} <span className="mono [overflow-wrap:anywhere]">{carrierWords}</span>
        </p>
      )}
    </div>
  );
}

import { percent } from '../../app/format.ts';
import { outcomeWords } from '../../app/outcome-words.ts';
import { t } from '../../app/words.ts';
import { outcomeMeaning } from '../call/facts.ts';
import { type Counted, outcomesOf } from './filter.ts';

/** Of an agent's own outcomes, in the order of their number. */
const hues = ['is-ok', 'is-agent', 'is-warn', 'is-tool'];
const serviceHues: Partial<Record<ReturnType<typeof outcomeMeaning>, string>> = {
  ok: 'is-ok',
  bad: 'is-bad',
};

/** What calls came to, as one bar of at most four outcomes and the rest. */
export function OutcomeBar({ of: week }: { of: Counted }) {
  if (week.calls === 0) return <span className="text-hint">{t('agents.noCalls')}</span>;
  const { parts, rest } = outcomesOf(week);
  const said = [...parts, ...(rest > 0 ? [{ name: t('agents.otherOutcome'), calls: rest }] : [])];
  const words = said.map(({ name, calls }) => `${outcomeWords(name)} ${percent(calls / week.calls)}`);
  const own = parts.filter(({ name }) => outcomeMeaning(name) === 'agent').map(({ name }) => name);
  const hueOf = (name: string) => hues[own.indexOf(name)] ?? serviceHues[outcomeMeaning(name)];
  return (
    <>
      <div className="segbar" role="img" aria-label={words.join(', ')} title={words.join(', ')}>
        {said.map(({ name, calls }, index) => (
          <i key={name} className={index < parts.length ? hueOf(name) : undefined} style={{ flex: calls }} />
        ))}
      </div>
      <span className="text-11 text-muted cut block pt-1" aria-hidden>
        {words[0]}
      </span>
    </>
  );
}

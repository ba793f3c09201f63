import { useId } from 'react';
import { Check } from 'lucide-react';
import { outcomeWords } from '../../app/outcome-words.ts';
import { t } from '../../app/words.ts';
import { cx } from '../../parts/cx.ts';
import {
  type Agent,
  agentOf,
  type Field,
  type Filter,
  hasFilter,
  withFilter,
  withoutFilter,
} from './filters.ts';

interface Value {
  filter: Filter;
  label: string;
}

/** What the list can be narrowed by, as boxes to check. They change the same filters as the bar. */
export function Facets({
  filters,
  agents,
  outcomes,
  onChange,
}: {
  filters: readonly Filter[];
  agents: readonly Agent[];
  outcomes: readonly string[];
  onChange: (filters: readonly Filter[]) => void;
}) {
  const fixed = (field: Field, values: readonly string[]): Value[] =>
    values.map((value) => ({ filter: { field, value }, label: t(`calls.${field}.${value}`) }));
  // A name that two agents share cannot be told apart: then the id is the filter.
  const agentFilter = (agent: Agent): Filter => ({
    field: 'agent',
    value: agents.filter(({ name }) => name === agent.name).length === 1 ? agent.name : String(agent.id),
  });
  const chosen = filters.find(({ field }) => field === 'agent');
  const chosenAgent = chosen === undefined ? undefined : agentOf(chosen.value, agents);
  const groups: { title: string; values: Value[]; isOn?: (value: Value) => boolean }[] = [
    { title: t('calls.facet.date'), values: fixed('date', ['today', '7d', '30d']) },
    { title: t('calls.facet.status'), values: fixed('status', ['live', 'ended']) },
    {
      title: t('calls.facet.outcome'),
      values: outcomes.map((value) => ({
        filter: { field: 'outcome', value },
        label: outcomeWords(value),
      })),
    },
    {
      title: t('calls.facet.agent'),
      values: agents.slice(0, 12).map((agent) => ({ filter: agentFilter(agent), label: agent.name })),
      isOn: ({ filter }) => chosenAgent !== undefined && agentOf(filter.value, agents) === chosenAgent,
    },
    { title: t('calls.facet.channel'), values: fixed('channel', ['phone', 'web', 'text']) },
    { title: t('calls.facet.direction'), values: fixed('direction', ['out', 'in']) },
  ];
  const id = useId();
  return (
    <>
      {groups
        .filter(({ values }) => values.length > 0)
        .map(({ title, values, isOn = ({ filter }) => hasFilter(filters, filter) }) => (
          <div key={title} role="group" aria-labelledby={`${id}${title}`} className="facet">
            <h3 id={`${id}${title}`}>{title}</h3>
            {values.map((value) => {
              const on = isOn(value);
              const now = on ? filters.find(({ field }) => field === 'agent') : undefined;
              const removed = value.filter.field === 'agent' && now !== undefined ? now : value.filter;
              return (
                <button
                  key={value.filter.value}
                  type="button"
                  role="checkbox"
                  aria-checked={on}
                  className={cx('fv', on && 'on')}
                  onClick={() =>
                    onChange(on ? withoutFilter(filters, removed) : withFilter(filters, value.filter))
                  }
                >
                  <span className={cx('check', on && 'on')}>
                    {on && <Check className="i" aria-hidden size={12} />}
                  </span>
                  <span className="cut">{value.label}</span>
                </button>
              );
            })}
          </div>
        ))}
    </>
  );
}

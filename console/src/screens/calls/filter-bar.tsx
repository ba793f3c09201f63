import { Search, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { t } from '../../app/words.ts';
import { faultWords, filterWords } from './filter-words.ts';
import {
  type Agent,
  fieldNames,
  type Filter,
  type FilterFault,
  formatFilters,
  parseFilters,
  withFilter,
  withoutFilter,
} from './filters.ts';

const chipKey = ({ field, value }: Filter) => `${field}:${value}`;

/** Filters as chips, and a field that reads more of them. Enter or a blank after a filter makes it a chip. */
export function FilterBar({
  filters,
  agents,
  faults,
  onChange,
}: {
  filters: readonly Filter[];
  agents: readonly Agent[];
  /** Parts of the URL that are not filters. */
  faults: readonly FilterFault[];
  onChange: (filters: readonly Filter[]) => void;
}) {
  const [text, setText] = useState('');
  const [typed, setTyped] = useState<readonly FilterFault[]>([]);
  const input = useRef<HTMLInputElement>(null);
  const shown = typed.length > 0 ? typed : faults;

  const take = () => {
    const read = parseFilters(text);
    setTyped(read.faults);
    setText(read.faults.map(({ text: part }) => part).join(' '));
    if (read.filters.length > 0) onChange(read.filters.reduce(withFilter, [...filters]));
  };
  const remove = (filter: Filter) => {
    onChange(withoutFilter(filters, filter));
    input.current?.focus();
  };
  return (
    <search className="grid gap-1">
      <div className="calls-q">
        <Search className="i" aria-hidden size={16} strokeWidth={1.5} />
        {filters.map((filter) => {
          const [what, value] = filterWords(filter, agents);
          return (
            <span key={chipKey(filter)} className="chip">
              {what} <b className="cut">{value}</b>
              <button
                type="button"
                aria-label={t('calls.removeFilter', { filter: `${what} ${value}` })}
                onClick={() => remove(filter)}
              >
                <X className="i" aria-hidden size={14} strokeWidth={1.5} />
              </button>
            </span>
          );
        })}
        <input
          ref={input}
          id="calls-filter"
          value={text}
          aria-label={t('calls.filter')}
          aria-describedby="calls-filter-faults"
          aria-invalid={shown.length > 0}
          placeholder={filters.length === 0 ? t('calls.filterExample') : t('calls.filterMore')}
          autoComplete="off"
          spellCheck={false}
          list="calls-fields"
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => {
            const last = filters.at(-1);
            if (event.key === 'Enter') take();
            else if (event.key === 'Escape') input.current?.blur();
            else if (event.key === 'Backspace' && text === '' && last !== undefined) {
              event.preventDefault();
              onChange(filters.slice(0, -1));
              setText(formatFilters([last]));
            } else return;
            event.stopPropagation();
          }}
          onBlur={() => text.trim() !== '' && take()}
        />
        <datalist id="calls-fields">
          {fieldNames.map((name) => (
            <option key={name} value={`${name}:`}>
              {`${name}:`}
            </option>
          ))}
        </datalist>
        <kbd className="hide-s">/</kbd>
      </div>
      <div id="calls-filter-faults" role="status" className="text-12 text-bad-text">
        {shown.map((fault) => (
          <p key={fault.text}>{faultWords(fault)}</p>
        ))}
      </div>
    </search>
  );
}

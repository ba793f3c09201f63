import { type FormEvent, useState } from 'react';
import { Input, Label, TextField } from 'react-aria-components';
import { t } from '../../app/words.ts';
import { Select } from '../../parts/select.tsx';
import { minuteOf, periods } from './period.ts';
import type { WebhooksSearch } from './search.ts';

interface FilterProps {
  search: WebhooksSearch;
  onChange: (next: Partial<WebhooksSearch>) => void;
}

/** When the deliveries were made. */
export function PeriodFilter({ search: { period, from, to }, onChange }: FilterProps) {
  return (
    <>
      <Select
        label={t('webhooks.period')}
        isLabelHidden
        value={period ?? 'any'}
        onChange={(value) =>
          onChange({ period: periods.find((each) => each === value), from: undefined, to: undefined })
        }
        options={['any', ...periods].map((value) => ({ value, label: t(`webhooks.period.${value}`) }))}
      />
      {period === 'between' && (
        <span className="flex flex-wrap items-center gap-2">
          {(['from', 'to'] as const).map((bound) => (
            <label key={bound} className="flex items-center gap-1">
              <span className="text-muted">{t(bound === 'from' ? 'webhooks.from' : 'webhooks.until')}</span>
              <input
                type="datetime-local"
                className="input"
                value={(bound === 'from' ? from : to) ?? ''}
                onChange={({ target: { value } }) => onChange({ [bound]: minuteOf(value) })}
              />
            </label>
          ))}
        </span>
      )}
    </>
  );
}

/** The call that the deliveries belong to, by its number. */
export function CallFilter({ search: { call }, onChange }: FilterProps) {
  const [text, setText] = useState(call === undefined ? '' : String(call));
  const apply = (event?: FormEvent) => {
    event?.preventDefault();
    const id = Number(text.replace(/^#/, ''));
    const next = Number.isSafeInteger(id) && id > 0 ? id : undefined;
    if (next === undefined) setText('');
    if (next !== call) onChange({ call: next });
  };
  return (
    <form onSubmit={apply}>
      <TextField value={text} onChange={setText} onBlur={() => apply()} className="field">
        <Label className="vh">{t('webhooks.callNumber')}</Label>
        <Input className="input w-24" inputMode="numeric" placeholder={t('webhooks.callNumberShort')} />
      </TextField>
    </form>
  );
}

import { useQuery } from '@tanstack/react-query';
import type { AnswerOf } from '../../../../src/contract/client-types.ts';
import { call } from '../../app/api.ts';
import { get, queries } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Card } from '../../parts/card.tsx';
import { FormFields, useForm } from '../../parts/form.tsx';
import { entriesOf, type Field, rowsOf, type Values } from '../../parts/form-values.ts';
import { Loaded } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { dayName } from '../campaigns/words.tsx';
import { SaveBar } from './save-bar.tsx';

const path = '/organizations/dial-policy';
type Policy = AnswerOf<'get', typeof path>;

/** What the organization lets be dialed: in any way, and by all its campaigns together. */
export function Dialing() {
  return (
    <div className="room">
      <Loaded query={useQuery(get(path, {}))} rows={6}>
        {(stored) => <PolicyForm stored={stored} />}
      </Loaded>
    </div>
  );
}

const amount = (name: string, more: Partial<Field> = {}): Field => ({
  name,
  label: t(`settings.dial.${name}`),
  kind: 'number',
  min: 1,
  isHalf: true,
  ...more,
});

const fields = (): readonly Field[] => [
  amount('reserved_lines', { hint: t('settings.dial.reserved_linesHint'), min: 0, max: 1000 }),
  amount('starts_per_second', { placeholder: '1', min: 0.01, max: 100, step: 0.01 }),
  amount('max_calls_per_day', { placeholder: t('settings.dial.installed') }),
  amount('max_call_minutes_per_day', { placeholder: t('settings.dial.installed') }),
  amount('per_hour', { hint: t('settings.dial.capsHint'), max: 1000 }),
  amount('per_day', { max: 1000 }),
  amount('per_week', { max: 1000 }),
  {
    name: 'slots',
    label: t('settings.dial.hours'),
    hint: t('settings.dial.hoursHint'),
    kind: 'rows',
    cells: [
      {
        name: 'day_of_week',
        label: t('settings.dial.day'),
        kind: 'select',
        options: [0, 1, 2, 3, 4, 5, 6].map((day) => ({ value: String(day), label: dayName(day) })),
      },
      { name: 'start_time', label: t('settings.dial.from'), kind: 'text' },
      { name: 'end_time', label: t('settings.dial.until'), kind: 'text' },
    ],
  },
  {
    name: 'allowed_countries',
    label: t('settings.dial.countries'),
    hint: t('settings.dial.countriesHint'),
    kind: 'lines',
    isHalf: true,
  },
  {
    name: 'allowed_sip_hosts',
    label: t('settings.dial.sip'),
    hint: t('settings.dial.sipHint'),
    kind: 'lines',
    isHalf: true,
  },
  {
    name: 'allow_special_numbers',
    label: t('settings.dial.special'),
    hint: t('settings.dial.specialHint'),
    kind: 'switch',
  },
];

const valuesOf = (policy: Policy): Values => ({
  reserved_lines: policy.reserved_lines,
  starts_per_second: policy.starts_per_second,
  max_calls_per_day: policy.max_calls_per_day,
  max_call_minutes_per_day: policy.max_call_minutes_per_day,
  per_hour: policy.caps?.per_hour ?? null,
  per_day: policy.caps?.per_day ?? null,
  per_week: policy.caps?.per_week ?? null,
  slots: (policy.window?.slots ?? []).map(({ day_of_week: day, start_time, end_time }) => ({
    day_of_week: String(day),
    start_time,
    end_time,
  })),
  allowed_countries: policy.allowed_countries ?? [],
  allowed_sip_hosts: policy.allowed_sip_hosts ?? [],
  allow_special_numbers: policy.allow_special_numbers,
});

function bodyOf(values: Values) {
  const number = (name: string) => (typeof values[name] === 'number' ? values[name] : null);
  const list = (name: string) => {
    const entries = entriesOf(values, name).flatMap((each) => (each.trim() === '' ? [] : [each.trim()]));
    return entries.length === 0 ? null : entries;
  };
  const caps = { per_hour: number('per_hour'), per_day: number('per_day'), per_week: number('per_week') };
  const slots = rowsOf(values, 'slots').map(({ day_of_week: day, start_time: from, end_time: until }) => ({
    day_of_week: Number(day),
    start_time: String(from),
    end_time: String(until),
  }));
  return {
    reserved_lines: number('reserved_lines'),
    starts_per_second: number('starts_per_second'),
    max_calls_per_day: number('max_calls_per_day'),
    max_call_minutes_per_day: number('max_call_minutes_per_day'),
    caps: Object.values(caps).every((each) => each === null) ? null : caps,
    window: slots.length === 0 ? null : { slots },
    allowed_countries: list('allowed_countries')?.map((each) => each.toUpperCase()) ?? null,
    allowed_sip_hosts: list('allowed_sip_hosts'),
    allow_special_numbers: values['allow_special_numbers'] === true,
  };
}

function PolicyForm({ stored }: { stored: Policy }) {
  const form = useForm({
    fields: fields(),
    initial: valuesOf(stored),
    onSave: async (values) => {
      await call('put', path, { body: bodyOf(values) });
      await queries.invalidateQueries({ queryKey: [path] });
      toast(t('settings.saved'));
    },
  });
  return (
    <Card title={t('settings.dialing')}>
      <div className="card-b grid gap-4">
        <p className="text-muted">{t('settings.dialingMeans')}</p>
        <FormFields form={form} needs="admin" />
        <SaveBar form={form} />
      </div>
    </Card>
  );
}

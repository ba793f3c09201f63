import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnswerOf } from '../../../../src/contract/client-types.ts';
import { call } from '../../app/api.ts';
import { get, queries } from '../../app/query.ts';
import { count } from '../../app/format.ts';
import { t } from '../../app/words.ts';
import { Confirm } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { FormFields, useForm } from '../../parts/form.tsx';
import type { Field, Values } from '../../parts/form-values.ts';
import { Loaded } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { When } from '../../parts/when.tsx';
import { SaveBar } from './save-bar.tsx';

const path = '/organizations/retention';
type Policy = AnswerOf<'get', typeof path>;
const names = ['transcript_days', 'recording_days', 'variable_days'] as const;
type Ages = Record<(typeof names)[number], number | null>;

/** How long the content of calls is kept, and what that removes. */
export function Retention() {
  return (
    <div className="room">
      <Loaded query={useQuery(get(path, {}))} rows={3}>
        {(stored) => <RetentionForm stored={stored} />}
      </Loaded>
    </div>
  );
}

const fields = (): readonly Field[] =>
  names.map((name) => ({
    name,
    label: t(`settings.${name}`),
    hint: t(`settings.${name}Hint`),
    kind: 'number',
    unit: t('settings.days'),
    placeholder: t('settings.forever'),
    min: 1,
    max: 3650,
    isHalf: true,
  }));

const ageOf = (values: Values, name: string): number | null =>
  typeof values[name] === 'number' ? values[name] : null;
const agesOf = (values: Values): Ages => ({
  transcript_days: ageOf(values, 'transcript_days'),
  recording_days: ageOf(values, 'recording_days'),
  variable_days: ageOf(values, 'variable_days'),
});

function RetentionForm({ stored }: { stored: Policy }) {
  const [asked, setAsked] = useState<Ages | null>(null);
  const save = async (ages: Ages) => {
    await call('put', path, { body: ages });
    await queries.invalidateQueries({ queryKey: [path] });
    toast(t('settings.saved'));
  };
  const form = useForm({
    fields: fields(),
    initial: agesOf(stored),
    onSave: async (values) => {
      const ages = agesOf(values);
      // Content that is removed cannot be restored.
      const { body } = await call('get', `${path}/preview`, { query: named(ages) });
      if (body.transcripts + body.recordings + body.variables > 0) setAsked(ages);
      else await save(ages);
    },
  });
  const preview = useQuery({
    ...get(`${path}/preview`, { query: named(agesOf(form.values)) }),
    placeholderData: keepPreviousData,
  });
  const words =
    preview.data === undefined || Object.keys(named(agesOf(form.values))).length === 0
      ? null
      : t('settings.wouldRemove', {
          transcripts: count(preview.data.transcripts),
          recordings: count(preview.data.recordings),
          variables: count(preview.data.variables),
        });
  return (
    <Card
      title={t('settings.retention')}
      aside={
        <span className="small t-2">
          {stored.applied_at === null ? (
            t('settings.neverApplied')
          ) : (
            <>
              {t('settings.applied')} <When at={stored.applied_at} />
            </>
          )}
        </span>
      }
    >
      <div className="card-b grid gap-4">
        <p className="text-muted">{t('settings.retentionMeans')}</p>
        <FormFields form={form} needs="admin" />
        {words !== null && (
          <p role="status" className="text-muted">
            {words}
          </p>
        )}
        <SaveBar form={form} />
      </div>
      {asked !== null && (
        <Confirm
          title={t('settings.removeTitle')}
          button={t('settings.removeButton')}
          onConfirm={async () => await save(asked)}
          onClose={() => setAsked(null)}
        >
          {words} {t('settings.removeForGood')}
        </Confirm>
      )}
    </Card>
  );
}

/** Ages as the query of the preview: what is kept forever is left out. */
const named = (ages: Ages): Partial<Record<keyof Ages, number>> =>
  Object.fromEntries(Object.entries(ages).filter(([, days]) => days !== null));

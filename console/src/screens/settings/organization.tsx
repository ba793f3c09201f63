import { useQuery } from '@tanstack/react-query';
import type { AnswerOf } from '../../../../src/contract/client-types.ts';
import { call } from '../../app/api.ts';
import { get, queries } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Card } from '../../parts/card.tsx';
import { FormFields, useForm } from '../../parts/form.tsx';
import { type Field, wordsOf } from '../../parts/form-values.ts';
import { Loaded } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { SaveBar } from './save-bar.tsx';

const path = '/organizations/preferences';
/** While none is chosen. */
const noZone = 'none';
type Preferences = AnswerOf<'get', typeof path>;

/** The time zone of the organization, its number for tests, and whether editors show settings of an own PBX. */
export function Organization() {
  return (
    <div className="room">
      <Loaded query={useQuery(get(path, {}))} rows={3}>
        {(stored) => <PreferencesForm stored={stored} />}
      </Loaded>
    </div>
  );
}

const fields = (): readonly Field[] => [
  {
    name: 'timezone',
    label: t('settings.timezone'),
    kind: 'select',
    hint: t('settings.timezoneHint'),
    options: [
      { value: noZone, label: t('settings.noTimezone') },
      ...['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => ({
        value: zone,
        label: zone.replaceAll('_', ' '),
      })),
    ],
    isHalf: true,
  },
  {
    name: 'test_phone_number',
    label: t('settings.testNumber'),
    kind: 'text',
    hint: t('settings.testNumberHint'),
    placeholder: '+1 202 555 0100',
    autoComplete: 'tel',
    isHalf: true,
  },
  {
    name: 'external_pbx_integrations_enabled',
    label: t('settings.pbx'),
    kind: 'switch',
    hint: t('settings.pbxHint'),
  },
];

function PreferencesForm({ stored }: { stored: Preferences }) {
  const form = useForm({
    fields: fields(),
    initial: {
      timezone: stored.timezone ?? noZone,
      test_phone_number: stored.test_phone_number ?? '',
      external_pbx_integrations_enabled: stored.external_pbx_integrations_enabled,
    },
    onSave: async (values) => {
      const zone = wordsOf(values, 'timezone');
      const number = wordsOf(values, 'test_phone_number').trim();
      await call('put', path, {
        body: {
          timezone: zone === noZone ? null : zone,
          test_phone_number: number === '' ? null : number,
          external_pbx_integrations_enabled: values['external_pbx_integrations_enabled'] === true,
        },
      });
      await queries.invalidateQueries();
      toast(t('settings.saved'));
    },
  });
  return (
    <Card title={t('settings.organization')}>
      <div className="card-b grid gap-4">
        <FormFields form={form} needs="admin" />
        <SaveBar form={form} />
      </div>
    </Card>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isObject, ownText } from '../../../../src/domain/graph/definition.ts';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Button } from '../../parts/button.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { Loaded } from '../../parts/states.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { providerOf, type Settings, titleOf } from '../models/vendor-fields.ts';
import { VoicePicker } from '../models/voice-picker.tsx';
import { FieldLabel } from './field-label.tsx';
import {
  type Catalog,
  ownModelFields,
  ownModelsOf,
  ownModelValues,
  type Service,
  serviceOf,
  services,
} from './own-models.ts';

const path = '/organizations/model-configurations/v2';

interface Props {
  label: string;
  hint: string;
  /** All settings of the agent. */
  settings: Settings;
  value: unknown;
  onChange: (value: unknown) => void;
}

/** The voice of the agent, chosen by ear; typed if the vendor's voices are not known. */
export function VoiceField({ label, hint, settings, value, onChange }: Props) {
  const { data } = useQuery(get(path, {}));
  const voice = typeof value === 'string' ? value : '';
  const layers = [
    serviceOf(settings['model_configuration_v2_override'], 'tts'),
    partOf(settings['model_overrides'], 'tts'),
    data?.effective_configuration.tts ?? null,
  ];
  const vendor = layers.map(providerOf).find((each) => each !== '') ?? '';
  const language = layers.map((each) => ownText(each ?? {}, 'language') ?? '').find((each) => each !== '');
  const voices = useQuery({
    ...get('/user/configurations/voices/{provider}', { params: { provider: vendor } }),
    enabled: vendor !== '',
  });
  const set = (next: string) => onChange(next === '' ? undefined : next);
  const known = voices.data?.voices ?? [];
  if (known.length === 0) return <TextField label={label} hint={hint} value={voice} onChange={set} />;
  const name = known.find(({ voice_id: id }) => id === voice)?.name ?? voice;
  return (
    <div className="field grid gap-2" role="group" aria-label={label}>
      <FieldLabel
        aside={
          voice !== '' && (
            <Button kind="ghost" size="xs" needs="agents:write" onPress={() => set('')}>
              {t('editor.voiceOfOrganization')}
            </Button>
          )
        }
      >
        {label}
      </FieldLabel>
      <p className="hint">{voice === '' ? t('editor.voiceUsual') : t('editor.voiceChosen', { name })}</p>
      <VoicePicker provider={vendor} voice={voice} language={language ?? ''} onVoice={set} />
    </div>
  );
}

const partOf = (overrides: unknown, service: Service): Settings | null => {
  const part = isObject(overrides) ? overrides[service] : undefined;
  return isObject(part) ? part : null;
};

/** Models of the agent instead of the organization's, with their keys. */
export function OwnModels({ label, hint, value, onChange }: Omit<Props, 'settings'>) {
  const [isOpen, setOpen] = useState(false);
  const catalog = useQuery(get(`${path}/defaults`, {}));
  const vendors = catalog.data?.byok.pipeline;
  const chosen =
    vendors === undefined
      ? []
      : services.flatMap((service) => {
          const stored = serviceOf(value, service);
          const model = ownText(stored ?? {}, 'model') ?? ownText(stored ?? {}, 'voice') ?? '';
          const vendor = titleOf(vendors[service], providerOf(stored));
          return stored === null ? [] : [{ service, words: [vendor, model].filter(Boolean).join(' · ') }];
        });
  return (
    <div className="field" role="group" aria-label={label}>
      <FieldLabel>{label}</FieldLabel>
      {chosen.length > 0 && (
        <dl className="own-models">
          {chosen.map(({ service, words }) => (
            <div key={service}>
              <dt>{t(`editor.model.${service}`)}</dt>
              <dd>{words}</dd>
            </div>
          ))}
        </dl>
      )}
      <div className="row">
        <Button size="md" needs="agents:write" onPress={() => setOpen(true)}>
          {t(value === undefined ? 'editor.ownModels' : 'editor.changeModels')}
        </Button>
        {value !== undefined && (
          <Button size="md" kind="ghost" needs="agents:write" onPress={() => onChange(undefined)}>
            {t('editor.dropModels')}
          </Button>
        )}
      </div>
      <p className="hint">{hint}</p>
      {isOpen && (
        <Loaded query={catalog}>
          {({ byok: { pipeline } }) => (
            <ModelsDialog
              title={label}
              catalog={pipeline}
              value={value}
              onSave={onChange}
              onClose={() => setOpen(false)}
            />
          )}
        </Loaded>
      )}
    </div>
  );
}

function ModelsDialog({
  title,
  catalog,
  value,
  onSave,
  onClose,
}: {
  title: string;
  catalog: Catalog;
  value: unknown;
  onSave: (value: unknown) => void;
  onClose: () => void;
}) {
  return (
    <FormDialog
      title={title}
      size="lg"
      saveLabel={t('editor.useModels')}
      fields={ownModelFields(catalog, {
        labelOf: (name) => t(`models.field.${name}`),
        vendorOf: (service) => t(`editor.model.${service}`),
        none: t('models.installed'),
      })}
      initial={ownModelValues(catalog, value)}
      onSave={(values) => {
        onSave(ownModelsOf(catalog, values, value));
        return Promise.resolve();
      }}
      onClose={onClose}
    />
  );
}

import { isObject } from '../../../../src/domain/graph/definition.ts';
import { t } from '../../app/words.ts';
import { setSetting } from '../../graph/edit.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { NumberField } from '../../parts/number-field.tsx';
import { Select } from '../../parts/select.tsx';
import { Switch } from '../../parts/switch.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { BackgroundSound } from './background-sound.tsx';
import { LinesSetting, RowsSetting } from './list-fields.tsx';
import { OwnModels, VoiceField } from './model-fields.tsx';
import { useDraft, useSession } from './session.ts';
import { type SettingField as Field, settingGroups } from './setting-fields.ts';
import { TestValues } from './test-values.tsx';

/** How the agent behaves in every step, its name, and values for tests. */
export function SettingsDrawer({ onClose }: { onClose: () => void }) {
  const session = useSession();
  const { name, settings } = useDraft();
  const set = (key: string, value: unknown) => {
    const [top = key, ...inside] = key.split('.');
    session.change((draft) => setSetting(draft, top, withInside(draft.settings[top], inside, value)), {
      name: t('editor.did.setting', { name: t(`editor.setting.${key}`) }),
      key: `settings.${key}`,
    });
  };
  const noise = settings['ambient_noise_configuration'];
  return (
    <Dialog
      title={t('editor.settings')}
      isOpen
      kind="sheet"
      onClose={() => {
        void session.flush();
        onClose();
      }}
    >
      <div className="grid gap-6">
        <TextField
          label={t('editor.agentName')}
          value={name}
          onChange={(value) =>
            session.change((draft) => ({ ...draft, name: value }), {
              name: t('editor.did.rename'),
              key: 'agent.name',
            })
          }
        />
        {settingGroups.map(({ id, fields }) => (
          <section key={id} className="grid gap-4">
            <h3 className="h2">{t(`editor.group.${id}`)}</h3>
            {fields
              .filter(({ when }) => isShown(when, settings))
              .map((field) => (
                <SettingField
                  key={field.key}
                  field={field}
                  settings={settings}
                  onChange={(value) => set(field.key, value)}
                />
              ))}
          </section>
        ))}
        <section className="grid gap-4">
          <h3 className="h2">{t('editor.group.sound')}</h3>
          <BackgroundSound
            agentId={session.agentId}
            value={isObject(noise) ? noise : {}}
            onChange={(value) => set('ambient_noise_configuration', value)}
          />
        </section>
        <TestValues />
      </div>
    </Dialog>
  );
}

const valueAt = (settings: Readonly<Record<string, unknown>>, key: string): unknown =>
  key.split('.').reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), settings);

const isShown = (when: Field['when'], settings: Readonly<Record<string, unknown>>): boolean =>
  when === undefined || valueAt(settings, when[0]) === when[1];

/** The setting with another value inside; objects that become empty go. */
function withInside(setting: unknown, [name, ...inside]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  const { [name]: before, ...others } = isObject(setting) ? setting : {};
  const next = withInside(before, inside, value);
  const changed = next === undefined ? others : { ...others, [name]: next };
  return Object.keys(changed).length === 0 ? undefined : changed;
}

function SettingField({
  field,
  settings,
  onChange,
}: {
  field: Field;
  settings: Readonly<Record<string, unknown>>;
  onChange: (value: unknown) => void;
}) {
  const label = t(`editor.setting.${field.key}`);
  // A choice has a hint for each of its options instead.
  const hint = field.as === 'choice' ? '' : t(`editor.setting.${field.key}.hint`);
  const value = valueAt(settings, field.key);
  switch (field.as) {
    case 'number':
      return (
        <NumberField
          label={label}
          hint={hint}
          {...(field.unit === true ? { unit: t('editor.seconds') } : {})}
          {...(field.min === undefined ? {} : { minValue: field.min })}
          {...(field.max === undefined ? {} : { maxValue: field.max })}
          value={typeof value === 'number' ? value : field.initial}
          onChange={(next) => onChange(next ?? undefined)}
        />
      );
    case 'choice':
      return (
        <Select
          label={label}
          hint={t(
            `editor.setting.${field.key}.${typeof value === 'string' ? value : (field.options[0] ?? '')}.hint`,
          )}
          options={field.options.map((each) => ({
            value: each,
            label: t(`editor.setting.${field.key}.${each}`),
          }))}
          value={typeof value === 'string' ? value : (field.options[0] ?? null)}
          onChange={onChange}
        />
      );
    case 'switch':
      return (
        <Switch
          label={label}
          hint={hint}
          value={typeof value === 'boolean' ? value : field.initial === true}
          onChange={onChange}
        />
      );
    case 'text':
      return (
        <TextField
          label={label}
          hint={hint}
          {...(field.lines === undefined ? {} : { lines: field.lines })}
          value={typeof value === 'string' ? value : ''}
          onChange={(next) => onChange(next === '' ? undefined : next)}
        />
      );
    case 'voice':
      return <VoiceField label={label} hint={hint} settings={settings} value={value} onChange={onChange} />;
    case 'models':
      return <OwnModels label={label} hint={hint} value={value} onChange={onChange} />;
    case 'rows':
      return (
        <RowsSetting
          label={label}
          hint={hint}
          value={value}
          onChange={onChange}
          cells={field.cells.map((name) => ({
            name,
            label: t(`editor.setting.${field.key}.${name}`),
            kind: 'text',
            isCode: true,
          }))}
        />
      );
    case 'lines':
      return <LinesSetting label={label} hint={hint} value={value} onChange={onChange} />;
  }
}

import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { isObject } from '../../../../src/domain/graph/definition.ts';
import { t } from '../../app/words.ts';
import { setSetting, setValue } from '../../graph/edit.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { NumberField } from '../../parts/number-field.tsx';
import { Select } from '../../parts/select.tsx';
import { Switch } from '../../parts/switch.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { BackgroundSound } from './background-sound.tsx';
import { Json } from './controls.tsx';
import { useDraft, useSession } from './session.ts';
import { type SettingField as Field, settingGroups } from './setting-fields.ts';

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
    case 'json':
      return (
        <Json
          label={label}
          hint={hint}
          lines={3}
          value={value}
          onChange={(next) => onChange(next ?? undefined)}
        />
      );
  }
}

function TestValues() {
  const session = useSession();
  const { values } = useDraft();
  const [name, setName] = useState('');
  const set = (key: string, value: unknown) =>
    session.change((draft) => setValue(draft, key, value), {
      name: t('editor.did.testValue', { name: key }),
      key: `values.${key}`,
    });
  return (
    <section className="grid gap-3">
      <h3 className="h2">{t('editor.testValues')}</h3>
      <p className="text-muted">{t('editor.testValuesHint')}</p>
      {Object.entries(values).map(([key, value]) => (
        <div key={key} className="row items-end">
          <TextField
            className="grow"
            label={key}
            value={typeof value === 'string' ? value : JSON.stringify(value)}
            onChange={(next) => set(key, next)}
          />
          <IconButton
            icon={X}
            needs="agents:write"
            size="md"
            label={t('editor.removeValue', { name: key })}
            onPress={() => set(key, undefined)}
          />
        </div>
      ))}
      <form
        className="row items-end"
        onSubmit={(event) => {
          event.preventDefault();
          const key = name.trim();
          if (key === '' || Object.hasOwn(values, key)) return;
          set(key, '');
          setName('');
        }}
      >
        <TextField className="grow" label={t('editor.newValue')} isCode value={name} onChange={setName} />
        <Button type="submit" needs="agents:write" size="md" icon={Plus}>
          {t('editor.addValue')}
        </Button>
      </form>
    </section>
  );
}

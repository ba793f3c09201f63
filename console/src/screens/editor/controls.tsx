import { useQuery } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { PropertySpec } from '../../../../src/contract/node-types.ts';
import { isObject, type JsonObject } from '../../../../src/domain/graph/definition.ts';
import { readBoolean } from '../../../../src/domain/graph/fields.ts';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { controlOf, fieldProblem, isShown, isTemplate } from '../../graph/form.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { NumberField } from '../../parts/number-field.tsx';
import { Select } from '../../parts/select.tsx';
import { Switch } from '../../parts/switch.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { FieldLabel, Help } from './field-label.tsx';
import { useJsonText } from './json-text.ts';
import { JsonTemplate, PromptField } from './prompt-field.tsx';

export interface ControlProps {
  property: PropertySpec;
  /** Undefined while the key is absent. */
  value: unknown;
  onChange: (value: unknown) => void;
  /** What the checks say about the field. */
  error?: string | undefined;
  hasFocus?: boolean;
  /** What stands in front of the text when the model gets it. */
  globalPrompt?: string | null;
}

/** A field of a node, made from its description in the catalog of node types. */
export function Control(props: ControlProps) {
  const { property, value, onChange, hasFocus, globalPrompt = null } = props;
  const { display_name: label, description, llm_hint: hint } = property;
  const help = hint === null ? description : `${description} ${hint}`;
  const aside = hint === null ? undefined : <Help name={label}>{hint}</Help>;
  const problem = fieldProblem(property, value);
  const error =
    props.error ?? (problem === null ? undefined : t(`editor.refused.${problem.code}`, { ...problem }));
  const text = typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value);
  const placeholder = property.placeholder === null ? {} : { placeholder: property.placeholder };
  const focus = hasFocus === undefined ? {} : { hasFocus };
  if (isTemplate(property))
    return (
      <PromptField
        label={label}
        help={help}
        value={text}
        onChange={onChange}
        {...placeholder}
        error={error}
        globalPrompt={globalPrompt}
        {...focus}
      />
    );
  switch (controlOf(property)) {
    case 'text':
    case 'url':
      return (
        <TextField
          label={label}
          hint={description}
          aside={aside}
          value={text}
          onChange={onChange}
          error={error}
          {...(property.type === 'url' ? { type: 'url', isCode: true } : {})}
          {...placeholder}
          {...focus}
        />
      );
    case 'area':
    case 'prompt':
      return (
        <TextField
          label={label}
          hint={description}
          aside={aside}
          value={text}
          onChange={onChange}
          lines={5}
          error={error}
        />
      );
    case 'switch':
      return (
        <Switch
          label={label}
          hint={description}
          aside={aside}
          value={readBoolean(value ?? property.default) ?? false}
          onChange={onChange}
        />
      );
    case 'number':
      return (
        <NumberField
          label={label}
          hint={description}
          aside={aside}
          value={typeof value === 'number' ? value : null}
          onChange={(next) => onChange(next ?? undefined)}
          {...(property.min_value === null ? {} : { minValue: property.min_value })}
          {...(property.max_value === null ? {} : { maxValue: property.max_value })}
          error={error}
        />
      );
    case 'choice':
      return (
        <Select
          label={label}
          hint={description}
          aside={aside}
          options={(property.options ?? []).map((each) => ({ value: String(each.value), label: each.label }))}
          value={choiceOf(value ?? property.default)}
          onChange={(next) =>
            onChange((property.options ?? []).find((each) => String(each.value) === next)?.value ?? next)
          }
          error={error}
        />
      );
    case 'choices':
      return (
        <Several
          label={label}
          help={help}
          choices={(property.options ?? []).map((each) => ({ id: String(each.value), name: each.label }))}
          value={value}
          onChange={onChange}
        />
      );
    case 'tools':
      return <Tools {...props} help={help} />;
    case 'documents':
      return <Documents {...props} help={help} />;
    case 'credential':
      return <Credential {...props} aside={aside} />;
    case 'recording':
      return <Recording {...props} aside={aside} />;
    case 'rows':
      return <Rows {...props} help={help} />;
    case 'json':
      return description.includes('{{') ? (
        <JsonTemplate
          label={label}
          hint={description}
          help={hint}
          value={value}
          onChange={onChange}
          {...focus}
        />
      ) : (
        <Json label={label} hint={description} aside={aside} value={value} onChange={onChange} />
      );
  }
}

const choiceOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

/** JSON as text. */
export function Json({
  label,
  hint,
  aside,
  value,
  onChange,
  lines = 8,
}: {
  label: string;
  hint?: string;
  aside?: ReactNode;
  value: unknown;
  onChange: (value: unknown) => void;
  lines?: number;
}) {
  const { text, isValid, set, commit } = useJsonText(value, onChange);
  return (
    <TextField
      label={label}
      {...(hint === undefined ? {} : { hint })}
      aside={aside}
      isCode
      lines={lines}
      value={text}
      onChange={set}
      onBlur={commit}
      error={isValid ? undefined : t('editor.refused.json')}
    />
  );
}

interface SeveralProps {
  label: string;
  help: string;
  choices: readonly { id: string; name: string }[];
  value: unknown;
  onChange: (value: unknown) => void;
}

/** Some of several things. What is chosen but not there any more is shown, and can be taken out. */
function Several({ label, help, choices, value, onChange }: SeveralProps) {
  const chosen = Array.isArray(value) ? value.map(String) : [];
  const missing = chosen.filter((id) => choices.every((each) => each.id !== id));
  const all = [
    ...choices,
    ...missing.map((id) => ({ id, name: t('editor.missing', { id: id.slice(0, 8) }) })),
  ];
  return (
    <div className="field" role="group" aria-label={label}>
      <FieldLabel help={help}>{label}</FieldLabel>
      {all.length === 0 ? (
        <p className="text-muted">{t('editor.noneThere')}</p>
      ) : (
        <div className="ways px-3 py-1">
          {all.map(({ id, name }) => (
            <Checkbox
              key={id}
              isSelected={chosen.includes(id)}
              onChange={(isOn) => onChange(isOn ? [...chosen, id] : chosen.filter((each) => each !== id))}
            >
              <span className="text-ink">{name}</span>
            </Checkbox>
          ))}
        </div>
      )}
    </div>
  );
}

function Tools({ property, value, onChange, help }: ControlProps & { help: string }) {
  const { data } = useQuery(get('/tools/', {}));
  const choices = (data ?? [])
    .filter(({ status }) => status === 'active')
    .map(({ tool_uuid: id, name }) => ({ id, name }));
  return (
    <Several label={property.display_name} help={help} choices={choices} value={value} onChange={onChange} />
  );
}

function Documents({ property, value, onChange, help }: ControlProps & { help: string }) {
  const { data } = useQuery(get('/knowledge-base/documents', {}));
  const choices = (data?.documents ?? []).map(({ document_uuid: id, filename: name }) => ({ id, name }));
  return (
    <Several label={property.display_name} help={help} choices={choices} value={value} onChange={onChange} />
  );
}

const none = '–';

type WithAside = ControlProps & { aside: ReactNode };

function One({
  property: { display_name: label, description },
  value,
  onChange,
  options,
  aside,
}: WithAside & { options: { value: string; label: string }[] }) {
  const chosen = typeof value === 'string' && value !== '' ? value : none;
  const isMissing = chosen !== none && options.every((each) => each.value !== chosen);
  return (
    <Select
      label={label}
      hint={description}
      aside={aside}
      options={[
        { value: none, label: t('editor.none') },
        ...options,
        ...(isMissing ? [{ value: chosen, label: t('editor.missing', { id: chosen.slice(0, 8) }) }] : []),
      ]}
      value={chosen}
      onChange={(next) => onChange(next === none ? null : next)}
    />
  );
}

function Credential(props: WithAside) {
  const { data } = useQuery(get('/credentials/', {}));
  return <One {...props} options={(data ?? []).map(({ uuid, name }) => ({ value: uuid, label: name }))} />;
}

function Recording(props: WithAside) {
  const { data } = useQuery(get('/workflow-recordings/', {}));
  return (
    <One
      {...props}
      options={(data?.recordings ?? []).map(({ recording_id: id, transcript }) => ({
        value: id,
        label: transcript.trim() === '' ? id : `${id}: ${transcript.slice(0, 60)}`,
      }))}
    />
  );
}

function Rows({ property, value, onChange, help }: ControlProps & { help: string }) {
  const rows: readonly unknown[] = Array.isArray(value) ? value : [];
  const fields = property.properties ?? [];
  const set = (index: number, row: JsonObject) =>
    onChange(rows.map((each, at) => (at === index ? row : each)));
  const fresh = () =>
    Object.fromEntries(
      fields
        .filter(({ default: initial, required }) => initial != null || required)
        .map((each) => [each.name, each.default ?? '']),
    );
  const name = property.display_name;
  return (
    <div className="field" role="group" aria-label={name}>
      <div className="lbl">
        <span>{name}</span>
        <Help name={name}>{help}</Help>
        <span className="count">{rows.length}</span>
        <span className="grow" />
        <Button
          needs="agents:write"
          kind="ghost"
          size="xs"
          icon={Plus}
          onPress={() => onChange([...rows, fresh()])}
        >
          {t('editor.addRow')}
        </Button>
      </div>
      {rows.length > 0 && (
        <div className="ways">
          {rows.map((row, index) =>
            isObject(row) ? (
              <div
                key={index}
                className="rowset"
                role="group"
                aria-label={t('editor.rowOf', { name, n: index + 1 })}
              >
                {fields
                  .filter((field) => isShown(field, fields, row))
                  .map((field) => (
                    <Control
                      key={field.name}
                      property={field}
                      value={row[field.name]}
                      onChange={(next) => set(index, { ...row, [field.name]: next ?? null })}
                    />
                  ))}
                <IconButton
                  icon={Trash2}
                  needs="agents:write"
                  size="xs"
                  label={t('editor.removeRow', { name, n: index + 1 })}
                  onPress={() => onChange(rows.filter((_, at) => at !== index))}
                />
              </div>
            ) : null,
          )}
        </div>
      )}
    </div>
  );
}

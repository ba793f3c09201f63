import { Plus, X } from 'lucide-react';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { ApiError } from '../app/api.ts';
import type { Scope } from '../../../src/contract/data/scopes.ts';
import { useMay, whyNot } from '../app/may.ts';
import { t } from '../app/words.ts';
import { Refusal } from './action.tsx';
import { Button, IconButton } from './button.tsx';
import { cx } from './cx.ts';
import { Dialog } from './dialog.tsx';
import { Checkbox } from './checkbox.tsx';
import { NumberField } from './number-field.tsx';
import { ReadOnly } from './read-only.ts';
import { Select } from './select.tsx';
import { Switch } from './switch.tsx';
import { TextField } from './text-field.tsx';
import {
  type Field,
  isBadJson,
  isChanged,
  missingFields,
  placeFaults,
  type Row,
  shownFields,
  type Value,
  type Values,
  entriesOf,
  rowsOf,
  wordsOf,
} from './form-values.ts';

export interface Form {
  id: string;
  fields: readonly Field[];
  values: Values;
  faults: Readonly<Record<string, string>>;
  /** What was refused beside the fields. */
  error: unknown;
  isBusy: boolean;
  isDirty: boolean;
  set: (name: string, value: Value) => void;
  reset: () => void;
  submit: () => void;
}

/** The state of a form: its values, what was refused where, and its way to the API. */
export function useForm({
  fields,
  initial,
  onSave,
}: {
  fields: readonly Field[];
  initial: Values;
  onSave: (values: Values) => Promise<void>;
}): Form {
  const id = useId();
  const [saved, setSaved] = useState(initial);
  const [values, setValues] = useState(initial);
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);

  const save = async () => {
    const shown = shownFields(fields, values);
    const local = {
      ...Object.fromEntries(missingFields(fields, values).map((name) => [name, t('form.missing')])),
      ...Object.fromEntries(
        shown
          .filter(({ kind, name }) => kind === 'json' && isBadJson(values[name]))
          .map(({ name }) => [name, t('form.badJson')]),
      ),
    };
    setFaults(local);
    setError(null);
    if (Object.keys(local).length > 0) return focusFault(id);
    setBusy(true);
    try {
      await onSave(values);
      setSaved(values);
    } catch (failure) {
      const placed =
        failure instanceof ApiError && failure.faults.length > 0 ? placeFaults(shown, failure.faults) : null;
      setFaults(placed?.byField ?? {});
      if (placed === null) setError(failure);
      else if (placed.others.length > 0) setError(withWords(failure as ApiError, placed.others.join('\n')));
      focusFault(id);
    } finally {
      setBusy(false);
    }
  };

  return {
    id,
    fields,
    values,
    faults,
    error,
    isBusy,
    isDirty: isChanged(values, saved),
    set: (name, value) => {
      setValues((now) => ({ ...now, [name]: value }));
      setFaults(({ [name]: _, ...rest }) => rest);
    },
    reset: () => {
      setValues(saved);
      setFaults({});
      setError(null);
    },
    submit: () => {
      if (!isBusy) void save();
    },
  };
}

const withWords = (error: ApiError, message: string): ApiError =>
  new ApiError({
    status: error.status,
    message,
    code: error.code,
    requestId: error.requestId,
    faults: [],
    detail: error.detail,
    retryAfterSeconds: error.retryAfterSeconds,
  });

/** Brings the person to the first refused field once it is marked. */
function focusFault(id: string): void {
  setTimeout(() => {
    const form = document.querySelector(`[data-form="${id}"]`);
    form?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid] button')?.focus();
  });
}

interface FormFieldsProps {
  form: Form;
  /** The controls can only be read by a person without this scope. */
  needs?: Scope;
  children?: ReactNode;
}

/** The controls of a form, two beside each other where the description says so. */
export function FormFields({ form, needs, children }: FormFieldsProps) {
  useMay();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    form.submit();
  };
  return (
    <ReadOnly value={whyNot(needs) !== undefined}>
      <form id={form.id} data-form={form.id} noValidate onSubmit={onSubmit} className="form">
        {shownFields(form.fields, form.values).map((field) => (
          <div key={field.name} className={cx(field.isHalf !== true && 'is-whole')}>
            <Control form={form} field={field} />
          </div>
        ))}
        {children}
        {form.error !== null && (
          <div className="is-whole">
            <Refusal error={form.error} />
          </div>
        )}
      </form>
    </ReadOnly>
  );
}

function Control({ form, field }: { form: Form; field: Field }) {
  const { name, label, kind, hint, options = [], placeholder, unit, min, max, step, cells = [] } = field;
  const { values } = form;
  const error = form.faults[name];
  const common = {
    label,
    error,
    ...(hint === undefined ? {} : { hint }),
    ...(field.isRequired === true ? { isRequired: true } : {}),
  };
  const given = placeholder === undefined ? {} : { placeholder };
  if (kind === 'number')
    return (
      <NumberField
        {...common}
        {...given}
        value={typeof values[name] === 'number' ? values[name] : null}
        onChange={(value) => form.set(name, value)}
        {...(unit === undefined ? {} : { unit })}
        {...(min === undefined ? {} : { minValue: min })}
        {...(max === undefined ? {} : { maxValue: max })}
        {...(step === undefined ? {} : { step })}
      />
    );
  if (kind === 'switch')
    return (
      <Switch
        label={label}
        {...(hint === undefined ? {} : { hint })}
        value={values[name] === true}
        onChange={(value) => form.set(name, value)}
      />
    );
  if (kind === 'select')
    return (
      <Select
        {...common}
        {...given}
        options={options}
        value={wordsOf(values, name) === '' ? null : wordsOf(values, name)}
        onChange={(value) => form.set(name, value)}
      />
    );
  if (kind === 'checks')
    return (
      <Checks
        {...field}
        chosen={entriesOf(values, name)}
        error={error}
        set={(value) => form.set(name, value)}
      />
    );
  if (kind === 'rows')
    return (
      <Rows
        label={label}
        hint={hint}
        error={error}
        cells={cells}
        rows={rowsOf(values, name)}
        set={(rows) => form.set(name, rows)}
      />
    );
  const isList = kind === 'lines';
  const lines = kind === 'area' ? 3 : kind === 'json' ? 5 : isList ? 3 : undefined;
  return (
    <TextField
      {...common}
      {...given}
      value={isList ? entriesOf(values, name).join('\n') : wordsOf(values, name)}
      onChange={(value) => form.set(name, isList ? (value === '' ? [] : value.split('\n')) : value)}
      {...(kind === 'password' || kind === 'email' || kind === 'url' ? { type: kind } : {})}
      autoComplete={field.autoComplete ?? 'off'}
      {...(field.inputMode === undefined ? {} : { inputMode: field.inputMode })}
      {...(field.hasFocus === true ? { hasFocus: true } : {})}
      {...(field.isCode === true || kind === 'json' ? { isCode: true } : {})}
      {...(lines === undefined ? {} : { lines })}
    />
  );
}

function Checks({
  label,
  hint,
  options = [],
  chosen,
  error,
  set,
}: Pick<Field, 'label' | 'hint' | 'options'> & {
  chosen: readonly string[];
  error: string | undefined;
  set: (chosen: readonly string[]) => void;
}) {
  return (
    <fieldset className="field">
      <legend className="lbl">{label}</legend>
      <div className="grid gap-1">
        {options.map(({ value, label: name, description }) => (
          <Checkbox
            key={value}
            isSelected={chosen.includes(value)}
            onChange={(isOn) => set(isOn ? [...chosen, value] : chosen.filter((each) => each !== value))}
          >
            <span>
              <span className="text-ink">{name}</span>
              {description !== undefined && <span className="text-hint text-12 block">{description}</span>}
            </span>
          </Checkbox>
        ))}
      </div>
      <Below hint={hint} error={error} />
    </fieldset>
  );
}

const Below = ({ hint, error }: { hint: string | undefined; error: string | undefined }) =>
  error !== undefined ? (
    <p role="alert" className="hint bad">
      {error}
    </p>
  ) : hint !== undefined ? (
    <p className="hint">{hint}</p>
  ) : null;

/** Rows of cells that a person adds and removes. */
export function Rows({
  label,
  hint,
  error,
  cells,
  rows,
  set,
}: {
  label: string;
  hint: string | undefined;
  error: string | undefined;
  cells: Field['cells'] & object;
  rows: readonly Row[];
  set: (rows: readonly Row[]) => void;
}) {
  const change = (index: number, name: string, value: string | boolean) =>
    set(rows.map((row, at) => (at === index ? { ...row, [name]: value } : row)));
  const add = () =>
    set([
      ...rows,
      Object.fromEntries(
        cells.map(({ name, kind, options }) => [
          name,
          kind === 'switch' ? true : kind === 'select' ? (options?.[0]?.value ?? '') : '',
        ]),
      ),
    ]);
  return (
    <fieldset className="field">
      <legend className="lbl">{label}</legend>
      <div className="grid gap-2">
        {rows.map((row, index) => (
          <div key={index} className="form-row">
            {cells.map(({ name, label: title, kind, options = [], isCode }) => {
              const said = `${title} ${index + 1}`;
              if (kind === 'switch')
                return (
                  <Checkbox
                    key={name}
                    isSelected={row[name] === true}
                    onChange={(value) => change(index, name, value)}
                    label={said}
                  >
                    <span className="text-12">{title}</span>
                  </Checkbox>
                );
              if (kind === 'select')
                return (
                  <Select
                    key={name}
                    label={said}
                    isLabelHidden
                    className="is-short"
                    options={options}
                    value={String(row[name] ?? '')}
                    onChange={(value) => change(index, name, value)}
                  />
                );
              return (
                <input
                  key={name}
                  aria-label={said}
                  placeholder={title}
                  className={cx('input', isCode && 'mono')}
                  value={String(row[name] ?? '')}
                  onChange={({ target }) => change(index, name, target.value)}
                />
              );
            })}
            <IconButton
              icon={X}
              label={t('form.removeRow', { what: label, n: index + 1 })}
              onPress={() => set(rows.filter((_, at) => at !== index))}
            />
          </div>
        ))}
        <div>
          <Button size="xs" icon={Plus} onPress={add}>
            {t('form.addRow')}
            <span className="vh"> {label}</span>
          </Button>
        </div>
      </div>
      <Below hint={hint} error={error} />
    </fieldset>
  );
}

/** A form in a dialog, which closes when it is saved. */
export function FormDialog({
  title,
  saveLabel = t('common.save'),
  size,
  fields,
  initial,
  isNew = false,
  onSave,
  onClose,
  onDismiss = onClose,
  children,
}: {
  title: string;
  saveLabel?: string;
  size?: 'md' | 'lg' | 'xl';
  /** Of the present values, if they decide about it. */
  fields: readonly Field[];
  initial: Values;
  /** Can be saved without a change. */
  isNew?: boolean;
  onSave: (values: Values) => Promise<void>;
  /** After it was saved. */
  onClose: () => void;
  /** Without saving. Absent: as after saving. */
  onDismiss?: () => void;
  children?: (form: Form) => ReactNode;
}) {
  const form = useForm({
    fields,
    initial,
    onSave: async (values) => {
      await onSave(values);
      onClose();
    },
  });
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onDismiss}
      {...(size === undefined ? {} : { size })}
      footer={
        <>
          {form.isDirty && !isNew && <span className="text-hint text-12 flex-1">{t('form.unsaved')}</span>}
          <Button onPress={onDismiss}>{t('common.cancel')}</Button>
          <Button
            type="submit"
            form={form.id}
            kind="primary"
            isDisabled={form.isBusy || (!isNew && !form.isDirty)}
          >
            {saveLabel}
          </Button>
        </>
      }
    >
      <FormFields form={form}>{children?.(form)}</FormFields>
    </Dialog>
  );
}

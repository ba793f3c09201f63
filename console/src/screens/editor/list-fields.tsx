import { useState } from 'react';
import { isObject, ownText } from '../../../../src/domain/graph/definition.ts';
import type { Cell, Row } from '../../parts/form-values.ts';
import { Rows } from '../../parts/form.tsx';
import { TextField } from '../../parts/text-field.tsx';

interface Props {
  label: string;
  hint: string;
  value: unknown;
  /** Undefined for an empty list. */
  onChange: (value: unknown) => void;
}

/** A list of records. A row counts when all its cells are filled in, so that a half one is never stored. */
export function RowsSetting({ label, hint, value, onChange, cells }: Props & { cells: readonly Cell[] }) {
  const [rows, setRows] = useState<readonly Row[]>(() =>
    (Array.isArray(value) ? value : []).filter(isObject).map((row) => textsOf(row, cells)),
  );
  return (
    <Rows
      label={label}
      hint={hint}
      error={undefined}
      cells={cells}
      rows={rows}
      set={(next) => {
        setRows(next);
        const whole = next.filter((row) => cells.every(({ name }) => String(row[name] ?? '').trim() !== ''));
        onChange(whole.length === 0 ? undefined : whole);
      }}
    />
  );
}

const textsOf = (row: Readonly<Record<string, unknown>>, cells: readonly Cell[]): Row =>
  Object.fromEntries(cells.map(({ name }) => [name, ownText(row, name) ?? '']));

/** A list of names, one in each line. */
export function LinesSetting({ label, hint, value, onChange }: Props) {
  const [text, setText] = useState(() => (Array.isArray(value) ? value.join('\n') : ''));
  return (
    <TextField
      label={label}
      hint={hint}
      isCode
      lines={3}
      value={text}
      onChange={(next) => {
        setText(next);
        const names = next.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
        onChange(names.length === 0 ? undefined : names);
      }}
    />
  );
}

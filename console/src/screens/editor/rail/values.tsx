import { useQuery } from '@tanstack/react-query';
import { ChevronDown, Plus, SlidersHorizontal, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { freshId } from '../../../app/insecure.ts';
import { get } from '../../../app/query.ts';
import { t } from '../../../app/words.ts';
import { knownVariables } from '../../../graph/variables.ts';
import { Button, IconButton } from '../../../parts/button.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { Select } from '../../../parts/select.tsx';
import { TextField } from '../../../parts/text-field.tsx';
import { Menu } from '../../../parts/menu.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { useDraft, useSession } from '../session.ts';
import { valuesOfRow } from './row-values.ts';
import type { ValueSet } from './value-sets.ts';
import { chosenSet, useTest, useTester } from './tester.ts';

/** The values that the next test begins with. */
export function Values() {
  const tester = useTester();
  const session = useSession();
  const sets = useTest((state) => state.sets);
  const [open, setOpen] = useState<ValueSet | 'file' | null>(null);
  const chosen = useTest(chosenSet);
  const keep = (set: ValueSet) => {
    tester.keepSets(
      sets.some(({ id }) => id === set.id)
        ? sets.map((each) => (each.id === set.id ? set : each))
        : [...sets, set],
    );
    tester.chooseSet(set.id);
    setOpen(null);
  };
  const name = chosen?.name ?? t('rail.ownValues');
  return (
    <>
      <Menu
        label={t('rail.values')}
        trigger={
          <Button size="xs" icon={SlidersHorizontal} aria-label={t('rail.valuesOf', { name })}>
            <span className="cut">{name}</span>
            <ChevronDown className="i" aria-hidden size={14} strokeWidth={1.5} />
          </Button>
        }
        entries={[
          { id: 'own', label: t('rail.ownValues'), onAction: () => tester.chooseSet(null) },
          ...sets.map((set) => ({ id: set.id, label: set.name, onAction: () => tester.chooseSet(set.id) })),
          null,
          {
            id: 'edit',
            label: chosen === null ? t('rail.editOwn') : t('rail.editSet', { name: chosen.name }),
            onAction: () => (chosen === null ? session.ask({ for: 'settings' }) : setOpen(chosen)),
          },
          {
            id: 'new',
            label: t('rail.newSet'),
            onAction: () => setOpen({ id: freshId(), name: '', values: {} }),
          },
          { id: 'file', label: t('rail.fromFile'), onAction: () => setOpen('file') },
        ]}
      />
      {open === 'file' && <FromFile onPick={keep} onClose={() => setOpen(null)} />}
      {open !== null && open !== 'file' && (
        <EditSet
          set={open}
          isNew={!sets.some(({ id }) => id === open.id)}
          onSave={keep}
          onDelete={() => {
            tester.keepSets(sets.filter(({ id }) => id !== open.id));
            tester.chooseSet(null);
            setOpen(null);
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}

function EditSet({
  set,
  isNew,
  onSave,
  onDelete,
  onClose,
}: {
  set: ValueSet;
  isNew: boolean;
  onSave: (set: ValueSet) => void;
  onDelete: () => void;
  onClose: () => void;
}) {
  const draft = useDraft();
  const [name, setName] = useState(set.name);
  const [added, setAdded] = useState('');
  // A new set begins with what the prompts need and the agent's own values.
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    isNew
      ? Object.fromEntries(
          knownVariables(draft)
            .filter(({ sources }) => sources.some(({ type }) => type === 'trigger' || type === 'test_value'))
            .map(({ name: key, example }) => [key, example ?? '']),
        )
      : set.values,
  );
  const without = (key: string) =>
    Object.fromEntries(Object.entries(values).filter(([each]) => each !== key));
  return (
    <Dialog
      title={t(isNew ? 'rail.newSetTitle' : 'rail.editSetTitle')}
      isOpen
      onClose={onClose}
      footer={
        <>
          {!isNew && (
            <Button icon={Trash2} onPress={onDelete}>
              {t('common.delete')}
            </Button>
          )}
          <span className="grow" />
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button
            kind="primary"
            isDisabled={name.trim() === ''}
            onPress={() => onSave({ ...set, name: name.trim(), values })}
          >
            {t('common.save')}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <p className="t-2">{t('rail.setWhy')}</p>
        <TextField label={t('rail.setName')} value={name} onChange={setName} hasFocus />
        {Object.entries(values).map(([key, value]) => (
          <div key={key} className="row items-end">
            <TextField
              className="grow"
              label={key}
              value={value}
              onChange={(next) => setValues({ ...values, [key]: next })}
            />
            <IconButton
              icon={X}
              size="md"
              label={t('editor.removeValue', { name: key })}
              onPress={() => setValues(without(key))}
            />
          </div>
        ))}
        <form
          className="row items-end"
          onSubmit={(event) => {
            event.preventDefault();
            const key = added.trim();
            if (key === '' || Object.hasOwn(values, key)) return;
            setValues({ ...values, [key]: '' });
            setAdded('');
          }}
        >
          <TextField className="grow" label={t('editor.newValue')} isCode value={added} onChange={setAdded} />
          <Button type="submit" size="md" icon={Plus}>
            {t('editor.addValue')}
          </Button>
        </form>
      </div>
    </Dialog>
  );
}

const shownRows = 20;

/** Takes the values of a row of a contact file. */
function FromFile({ onPick, onClose }: { onPick: (set: ValueSet) => void; onClose: () => void }) {
  const files = useQuery(get('/directories', { query: { limit: 100 } }));
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <Dialog title={t('rail.fromFileTitle')} isOpen onClose={onClose}>
      <Loaded query={files} rows={3}>
        {({ directories }) => {
          const ready = directories.filter(({ state }) => state === 'ready');
          const file = ready.find(({ id }) => String(id) === chosen) ?? ready[0];
          if (file === undefined) return <p className="t-2">{t('rail.noFiles')}</p>;
          return (
            <div className="grid gap-4">
              <Select
                label={t('rail.file')}
                options={ready.map(({ id, name }) => ({ value: String(id), label: name }))}
                value={String(file.id)}
                onChange={setChosen}
              />
              <Rows
                key={file.id}
                file={file}
                onPick={(values, row) =>
                  onPick({
                    id: freshId(),
                    name: t('rail.rowOf', { row, file: file.name }),
                    values,
                  })
                }
              />
            </div>
          );
        }}
      </Loaded>
    </Dialog>
  );
}

function Rows({
  file,
  onPick,
}: {
  file: { id: number; mapping: Parameters<typeof valuesOfRow>[1] };
  onPick: (values: ValueSet['values'], row: number) => void;
}) {
  const [search, setSearch] = useState('');
  const words = search.trim();
  const rows = useQuery(
    get('/directories/{directory_id}/rows', {
      params: { directory_id: file.id },
      query: { limit: shownRows, ...(words === '' ? {} : { search: words }) },
    }),
  );
  return (
    <>
      <TextField label={t('rail.searchRow')} value={search} onChange={setSearch} />
      <Loaded query={rows} rows={4}>
        {({ columns, items }) =>
          items.length === 0 ? (
            <p className="t-2">{t('rail.noRows')}</p>
          ) : (
            <ul className="file-rows">
              {items.map((row) => (
                <li key={row.row_number}>
                  <button
                    type="button"
                    onClick={() => onPick(valuesOfRow(columns, file.mapping, row), row.row_number)}
                  >
                    <span className="num t-2">{row.row_number}</span>
                    <span className="cut">{row.cells.filter((cell) => cell !== '').join(' · ')}</span>
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  );
}

import { Ellipsis, Pencil, Plus, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { freshId } from '../../app/insecure.ts';
import { t } from '../../app/words.ts';
import { setValue } from '../../graph/edit.ts';
import { namesForTests } from '../../graph/variables.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Menu } from '../../parts/menu.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { namesOf, withoutName, withValue } from './rail/value-sets.ts';
import { useTest, useTester } from './rail/tester.ts';
import { useDraft, useSession } from './session.ts';

/** The values that tests begin with: the agent's own, and the sets of this browser, one column each. */
export function TestValues() {
  const session = useSession();
  const tester = useTester();
  const draft = useDraft();
  const { values } = draft;
  const sets = useTest((state) => state.sets);
  const setId = useTest((state) => state.setId);
  const [added, setAdded] = useState('');
  const [named, setNamed] = useState<string | null>(null);
  const names = namesOf(values, sets, namesForTests(draft));
  const stored = namesOf(values, sets);
  const setOwn = (name: string, value: unknown) =>
    session.change((draft) => setValue(draft, name, value), {
      name: t('editor.did.testValue', { name }),
      key: `values.${name}`,
    });
  const drop = (id: string) => {
    tester.keepSets(sets.filter((each) => each.id !== id));
    if (id === setId) tester.chooseSet(null);
  };
  return (
    <section className="grid gap-3">
      <h3 className="h2">{t('editor.testValues')}</h3>
      <p className="text-muted">{t('editor.testValuesHint')}</p>
      {names.length > 0 && (
        <div className="values-grid" role="region" tabIndex={0} aria-label={t('editor.testValues')}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('editor.variable')}</th>
                <th scope="col">{t('rail.ownValues')}</th>
                {sets.map((set) => (
                  <th key={set.id} scope="col">
                    <span className="row">
                      <span className="cut grow">{set.name}</span>
                      <Menu
                        label={t('editor.setMenu', { name: set.name })}
                        trigger={
                          <IconButton
                            icon={Ellipsis}
                            size="xs"
                            label={t('editor.setMenu', { name: set.name })}
                          />
                        }
                        entries={[
                          {
                            id: 'rename',
                            label: t('editor.renameSet'),
                            icon: Pencil,
                            onAction: () => setNamed(set.id),
                          },
                          {
                            id: 'delete',
                            label: t('common.delete'),
                            icon: Trash2,
                            isDanger: true,
                            onAction: () => drop(set.id),
                          },
                        ]}
                      />
                    </span>
                  </th>
                ))}
                <th aria-label={t('editor.removeRowHead')} />
              </tr>
            </thead>
            <tbody>
              {names.map((name) => {
                const own = textOf(values[name]);
                return (
                  <tr key={name}>
                    <th scope="row" className="mono">
                      {name}
                    </th>
                    <td>
                      <input
                        className="input"
                        aria-label={t('editor.valueIn', { name, set: t('rail.ownValues') })}
                        value={own}
                        onChange={({ target }) => setOwn(name, target.value)}
                      />
                    </td>
                    {sets.map((set) => (
                      <td key={set.id}>
                        <input
                          className="input"
                          aria-label={t('editor.valueIn', { name, set: set.name })}
                          placeholder={own}
                          value={set.values[name] ?? ''}
                          onChange={({ target }) =>
                            tester.keepSets(withValue(sets, { id: set.id, name, value: target.value }))
                          }
                        />
                      </td>
                    ))}
                    <td>
                      <IconButton
                        icon={X}
                        needs="agents:write"
                        isDisabled={!stored.includes(name)}
                        size="md"
                        label={t('editor.removeValue', { name })}
                        onPress={() => {
                          setOwn(name, undefined);
                          tester.keepSets(withoutName(sets, name));
                        }}
                      />
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
      {named !== null && (
        <TextField
          key={named}
          label={t('rail.setName')}
          hasFocus
          value={sets.find(({ id }) => id === named)?.name ?? ''}
          onChange={(name) => tester.keepSets(sets.map((set) => (set.id === named ? { ...set, name } : set)))}
          onBlur={() => setNamed(null)}
        />
      )}
      <form
        className="row items-end"
        onSubmit={(event) => {
          event.preventDefault();
          const name = added.trim();
          if (name === '' || stored.includes(name)) return;
          setOwn(name, '');
          setAdded('');
        }}
      >
        <TextField className="grow" label={t('editor.newValue')} isCode value={added} onChange={setAdded} />
        <Button type="submit" needs="agents:write" size="md" icon={Plus}>
          {t('editor.addValue')}
        </Button>
        <Button
          size="md"
          icon={Plus}
          onPress={() => {
            const id = freshId();
            tester.keepSets([
              ...sets,
              { id, name: t('editor.setNumber', { n: sets.length + 1 }), values: {} },
            ]);
            setNamed(id);
          }}
        >
          {t('editor.addSet')}
        </Button>
      </form>
    </section>
  );
}

const textOf = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

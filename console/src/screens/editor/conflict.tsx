import { useState } from 'react';
import { t } from '../../app/words.ts';
import { type Conflict, takeTheirs } from '../../graph/merge.ts';
import { labelOf, nameOf } from '../../graph/draft.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Segmented } from '../../parts/tabs.tsx';
import { fieldName } from './change-text.ts';
import { type EditorSession, useEditor, useSession } from './session.ts';

/** The name of the node or transition, and of its field. */
export function placeName(
  session: EditorSession,
  { of, id, field }: Pick<Conflict, 'of' | 'id' | 'field'>,
): string {
  const node = session.draft().nodes.find((each) => each.id === id);
  const edge = session.draft().edges.find((each) => each.id === id);
  const thing =
    node !== undefined
      ? nameOf(node, session.specOf(node.type)?.display_name)
      : edge !== undefined
        ? labelOf(edge) || t('editor.noLabel')
        : t(`editor.change.of.${of === 'rest' ? 'agent' : of}`);
  return field === null ? thing : `${thing}: ${fieldName(session, node?.type, field.replace(/^data\./, ''))}`;
}

const shown = (value: unknown): string =>
  value === undefined || value === null
    ? t('editor.removedValue')
    : typeof value === 'string'
      ? value
      : JSON.stringify(value, null, 2);

/** Two people changed the same field: both values, and a choice for each. */
export function ConflictDialog() {
  const session = useSession();
  const save = useEditor((state) => state.save);
  const [theirs, setTheirs] = useState<ReadonlySet<number>>(new Set());
  if (save.is !== 'conflict') return null;
  const { conflicts } = save;
  const settle = () => {
    const chosen = conflicts.filter((_, index) => theirs.has(index));
    setTheirs(new Set());
    session.settle(chosen.reduce(takeTheirs, session.draft()));
  };
  return (
    <Dialog
      title={t('editor.conflictTitle')}
      isOpen
      isModalOnly
      onClose={() => undefined}
      size="lg"
      footer={
        <Button kind="primary" onPress={settle}>
          {t('editor.conflictSave')}
        </Button>
      }
    >
      <p className="text-muted">{t('editor.conflictWhy', { count: conflicts.length })}</p>
      {conflicts.map((conflict, index) => {
        const place = placeName(session, conflict);
        return (
          <section key={index} className="conflict" aria-label={place}>
            <div className="row justify-between">
              <h3 className="h2">{place}</h3>
              <Segmented
                label={place}
                options={[
                  { id: 'mine', label: t('editor.keepMine') },
                  { id: 'theirs', label: t('editor.takeTheirs') },
                ]}
                value={theirs.has(index) ? 'theirs' : 'mine'}
                onChange={(side) => {
                  const next = new Set(theirs);
                  if (side === 'theirs') next.add(index);
                  else next.delete(index);
                  setTheirs(next);
                }}
              />
            </div>
            <div className="sides">
              {(['mine', 'theirs'] as const).map((side) => (
                <div key={side} className={(side === 'theirs') === theirs.has(index) ? 'on' : ''}>
                  <span className="caps">{t(`editor.${side}`)}</span>
                  <p>{shown(conflict[side])}</p>
                </div>
              ))}
            </div>
          </section>
        );
      })}
    </Dialog>
  );
}

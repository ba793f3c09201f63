import { useState } from 'react';
import { t } from '../../app/words.ts';
import { type Conflict, takeTheirs } from '../../graph/merge.ts';
import { labelOf, nameOf } from '../../graph/draft.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Segmented } from '../../parts/tabs.tsx';
import { fieldName } from './field-name.ts';
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

/** Two people changed the same field, or one person changed it again since: both values, and a choice for each. */
export function ConflictDialog() {
  const session = useSession();
  const save = useEditor((state) => state.save);
  const restoring = useEditor((state) => state.restoring);
  if (save.is === 'conflict')
    return (
      <Conflicts
        conflicts={save.conflicts}
        title={t('editor.conflictTitle', { count: save.conflicts.length })}
        why={t('editor.conflictWhy', { count: save.conflicts.length })}
        action={t('editor.conflictSave')}
        choose={{ mine: t('editor.keepMine'), theirs: t('editor.takeTheirs') }}
        caption={{ mine: t('editor.mine'), theirs: t('editor.theirs') }}
        onSettle={(theirs) => session.settle(theirs.reduce(takeTheirs, session.draft()))}
      />
    );
  if (restoring === null) return null;
  return (
    <Conflicts
      conflicts={restoring}
      title={t('editor.restoreTitle')}
      why={t('editor.restoreWhy', { count: restoring.length })}
      action={t('editor.restore')}
      choose={{ mine: t('editor.restoreKept'), theirs: t('editor.restoreNow') }}
      caption={{ mine: t('editor.kept'), theirs: t('editor.now') }}
      onSettle={session.settleRestore}
      onCancel={() => session.settleRestore(null)}
    />
  );
}

type Side = 'mine' | 'theirs';

interface ConflictsProps {
  conflicts: readonly Conflict[];
  title: string;
  why: string;
  action: string;
  choose: Record<Side, string>;
  caption: Record<Side, string>;
  onSettle: (theirs: readonly Conflict[]) => void;
  /** Absent if a choice must be made. */
  onCancel?: () => void;
}

function Conflicts({ conflicts, title, why, action, choose, caption, onSettle, onCancel }: ConflictsProps) {
  const session = useSession();
  const [theirs, setTheirs] = useState<ReadonlySet<number>>(new Set());
  return (
    <Dialog
      title={title}
      isOpen
      isModalOnly={onCancel === undefined}
      onClose={() => onCancel?.()}
      size="lg"
      footer={
        <>
          {onCancel !== undefined && <Button onPress={onCancel}>{t('common.cancel')}</Button>}
          <Button kind="primary" onPress={() => onSettle(conflicts.filter((_, index) => theirs.has(index)))}>
            {action}
          </Button>
        </>
      }
    >
      <p className="text-muted">{why}</p>
      {conflicts.map((conflict, index) => {
        const place = placeName(session, conflict);
        return (
          <section key={index} className="conflict" aria-label={place}>
            <div className="row justify-between">
              <h3 className="h2">{place}</h3>
              <Segmented
                label={place}
                options={[
                  { id: 'mine', label: choose.mine },
                  { id: 'theirs', label: choose.theirs },
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
                  <span className="caps">{caption[side]}</span>
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

import { AlignStartHorizontal, AlignStartVertical, Copy, Plus, Trash2, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { t } from '../../app/words.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { copyNodes, duplicate, lineUp, removeElements } from './actions.ts';
import { EdgeForm } from './edge-form.tsx';
import { NodeForm } from './node-form.tsx';
import { useEditor, useSession } from './session.ts';

/** Goes back to the row or card of what is selected. */
function focusElement(id: string): void {
  const name = CSS.escape(id);
  document
    .querySelector<HTMLElement>(`.out [data-key="${name}"], .react-flow__node[data-id="${name}"]`)
    ?.focus();
}

/** What is selected, to be edited: a node, a transition, or several nodes. */
export function EditPanel({ onClose }: { onClose: () => void }) {
  const selected = useEditor((state) => state.selected);
  const session = useSession();
  const turn = useEditor((state) => state.turn);
  const [first] = selected;
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    const panel = place.current;
    if (panel === null || first === undefined) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      event.preventDefault();
      focusElement(first);
    };
    const onLeave = () => void session.flush();
    panel.addEventListener('keydown', onKey);
    panel.addEventListener('focusout', onLeave);
    return () => {
      panel.removeEventListener('keydown', onKey);
      panel.removeEventListener('focusout', onLeave);
    };
  }, [first, session]);
  const node = useEditor(({ history }) => history.present.nodes.find(({ id }) => id === first));
  const edge = useEditor(({ history }) => history.present.edges.find(({ id }) => id === first));
  const inner =
    selected.length > 1 ? (
      <SeveralSelected ids={selected} onClose={onClose} />
    ) : node !== undefined ? (
      <NodeForm key={`${node.id} ${turn}`} node={node} onClose={onClose} />
    ) : edge !== undefined ? (
      <EdgeForm key={`${edge.id} ${turn}`} edge={edge} onClose={onClose} />
    ) : null;
  if (inner === null) return null;
  return (
    <aside ref={place} className="panel" aria-label={t('editor.details')}>
      {inner}
    </aside>
  );
}

function SeveralSelected({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) {
  const session = useSession();
  return (
    <>
      <header>
        <h2 className="text-14 text-ink grow font-semibold">
          {t('editor.selectedMany', { count: ids.length })}
        </h2>
        <IconButton icon={X} label={t('common.close')} onPress={onClose} />
      </header>
      <div className="form">
        <Button needs="agents:write" icon={AlignStartHorizontal} onPress={() => lineUp(session, ids, 'row')}>
          {t('editor.inRow')}
        </Button>
        <Button needs="agents:write" icon={AlignStartVertical} onPress={() => lineUp(session, ids, 'column')}>
          {t('editor.inColumn')}
        </Button>
        <Button icon={Copy} onPress={() => void copyNodes(session, ids)}>
          {t('common.copy')}
        </Button>
        <Button needs="agents:write" icon={Plus} onPress={() => duplicate(session, ids)}>
          {t('editor.duplicate')}
        </Button>
        <Button needs="agents:write" kind="danger" icon={Trash2} onPress={() => removeElements(session, ids)}>
          {t('common.delete')}
        </Button>
      </div>
    </>
  );
}

import { useState } from 'react';
import { ApiError } from '../../app/api.ts';
import { t } from '../../app/words.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { addAsked, canConnect, connectNodes, shownName } from './actions.ts';
import { Glyph } from './kinds.tsx';
import { Pick } from './pick.tsx';
import { PublishDialog, usePublished } from './publish.tsx';
import { useAgentName, useDraft, useEditor, useSession } from './session.ts';
import { SettingsDrawer } from './settings.tsx';

/** Whatever the person is asked for. */
export function Asking() {
  const session = useSession();
  const asked = useEditor((state) => state.asked);
  const draft = useDraft();
  const onClose = () => session.ask(null);
  if (asked === null) return null;
  if (asked.for === 'publish') return <PublishDialog onClose={onClose} />;
  if (asked.for === 'settings') return <SettingsDrawer onClose={onClose} />;
  if (asked.for === 'discard') return <DiscardDialog onClose={onClose} />;
  if (asked.for === 'node') {
    const isInFlow = asked.after !== undefined || asked.onEdge !== undefined;
    return (
      <Pick
        title={t('editor.addNode')}
        choices={session.specs
          .filter(({ category, graph_constraints: limits }) =>
            isInFlow ? category === 'call_node' && limits?.max_incoming !== 0 : true,
          )
          .toSorted((a, b) => Number(a.category !== 'call_node') - Number(b.category !== 'call_node'))
          .map((spec) => ({
            id: spec.name,
            label: spec.display_name,
            description: spec.description,
            glyph: <Glyph spec={spec} type={spec.name} />,
          }))}
        onPick={(name) => {
          const spec = session.specOf(name);
          if (spec !== undefined) addAsked(session, asked, spec);
        }}
        onClose={onClose}
      />
    );
  }
  const source = asked.for === 'target' ? asked.source : null;
  const choices = draft.nodes
    .filter(({ id }) => source === null || canConnect(session, source, id))
    .map((node) => {
      const spec = session.specOf(node.type);
      return {
        id: node.id,
        label: shownName(session, node.id),
        description: spec?.display_name ?? node.type,
        glyph: <Glyph spec={spec} type={node.type} />,
      };
    });
  return (
    <Pick
      title={
        source === null ? t('editor.find') : t('editor.connectFrom', { name: shownName(session, source) })
      }
      choices={choices}
      onPick={(id) => (source === null ? session.select([id]) : connectNodes(session, source, id))}
      onClose={onClose}
    />
  );
}

/** Puts the draft back to what calls use now. */
function DiscardDialog({ onClose }: { onClose: () => void }) {
  const session = useSession();
  const name = useAgentName();
  const { version } = usePublished(session.agentId);
  const [error, setError] = useState<string | null>(null);
  const discard = async () => {
    try {
      await session.discard();
      session.select([]);
      onClose();
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      setError(failure.message);
    }
  };
  return (
    <Dialog
      title={t('editor.discardTitle', { name })}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button kind="danger" sends isDisabled={version === undefined} onPress={() => void discard()}>
            {t('editor.discard')}
          </Button>
        </>
      }
    >
      <p>{t('editor.discardWhy', { version: version?.version_number ?? 0 })}</p>
      {error !== null && (
        <p role="alert" className="text-bad-text mt-2">
          {error}
        </p>
      )}
    </Dialog>
  );
}

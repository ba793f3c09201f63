import { ChevronRight, Plus, Trash2, X } from 'lucide-react';
import { memo } from 'react';
import { ownText } from '../../../../src/domain/graph/definition.ts';
import { t } from '../../app/words.ts';
import { type GraphEdge, labelOf } from '../../graph/draft.ts';
import { retarget, setEdgeField } from '../../graph/edit.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Segmented } from '../../parts/tabs.tsx';
import { Select } from '../../parts/select.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { canConnect, removeElements, shownName } from './actions.ts';
import { Control } from './controls.tsx';
import type { Named } from './node-form.tsx';
import { FieldProblems } from './field-problems.tsx';
import { errorText } from './problem-text.ts';
import { PromptField } from './prompt-field.tsx';
import { useEditor, useSession } from './session.ts';

/** The form of one transition. */
export function EdgeForm({ edge, onClose }: { edge: GraphEdge; onClose: () => void }) {
  const session = useSession();
  const problems = useEditor((state) => state.problems).filter(({ id }) => id === edge.id);
  const focused = useEditor((state) => state.focused);
  const name = labelOf(edge) === '' ? t('editor.noLabel') : labelOf(edge);
  const set = (field: string, value: unknown) =>
    session.change((old) => setEdgeField(old, edge.id, field, value), {
      name: t('editor.did.edit', { name }),
      key: `${edge.id}.${field}`,
    });
  const isRecorded = ownText(edge.data, 'transition_speech_type') === 'audio';
  return (
    <>
      <EdgeHeader id={edge.id} name={name} onClose={onClose} />
      <div className="form">
        <p className="text-muted">
          {t('editor.fromTo', { from: shownName(session, edge.source), to: shownName(session, edge.target) })}
        </p>
        <div>
          <TextField
            label={t('editor.label')}
            hint={t('editor.labelHint')}
            value={ownText(edge.data, 'label') ?? ''}
            onChange={(value) => set('label', value)}
            error={errorText(problems, 'label')}
            {...(focused === 'label' ? { hasFocus: true } : {})}
          />
          <FieldProblems id={edge.id} field="label" />
        </div>
        <TextField
          label={t('editor.condition')}
          hint={t('editor.conditionHint')}
          lines={3}
          value={ownText(edge.data, 'condition') ?? ''}
          onChange={(value) => set('condition', value)}
          error={errorText(problems, 'condition')}
          {...(focused === 'condition' ? { hasFocus: true } : {})}
        />
        <LeadsTo id={edge.id} name={name} source={edge.source} target={edge.target} />
        <div className="row justify-between">
          <span className="text-12 text-ink font-medium">{t('editor.transitionSpeech')}</span>
          <Segmented
            label={t('editor.transitionSpeech')}
            options={[
              { id: 'text', label: t('editor.asText') },
              { id: 'audio', label: t('editor.asRecording') },
            ]}
            value={isRecorded ? 'audio' : 'text'}
            onChange={(value) => set('transition_speech_type', value)}
          />
        </div>
        {isRecorded ? (
          <Control
            property={{
              ...recordingProperty,
              display_name: t('editor.recording'),
              description: t('editor.recordingHint'),
            }}
            value={edge.data['transition_speech_recording_id']}
            onChange={(value) => set('transition_speech_recording_id', value)}
          />
        ) : (
          <PromptField
            label={t('editor.words')}
            help={t('editor.wordsHint')}
            value={ownText(edge.data, 'transition_speech') ?? ''}
            onChange={(value) => set('transition_speech', value === '' ? null : value)}
          />
        )}
        <Button
          needs="agents:write"
          onPress={() => session.ask({ for: 'node', onEdge: edge.id })}
          icon={Plus}
        >
          {t('editor.insertHere')}
        </Button>
      </div>
    </>
  );
}

const EdgeHeader = memo(({ id, name, onClose }: Named & { onClose: () => void }) => {
  const session = useSession();
  return (
    <header>
      <span className="glyph is-machine">
        <ChevronRight className="i" aria-hidden />
      </span>
      <h2 className="text-14 text-ink cut font-semibold">{name}</h2>
      <span className="badge line">{t('editor.transition')}</span>
      <span className="grow" />
      <IconButton
        icon={Trash2}
        needs="agents:write"
        label={t('editor.deleteTransition')}
        onPress={() => removeElements(session, [id])}
      />
      <IconButton icon={X} label={t('common.close')} onPress={onClose} />
    </header>
  );
});
EdgeHeader.displayName = 'EdgeHeader';

const LeadsTo = memo(({ id, name, source, target }: Named & { source: string; target: string }) => {
  const session = useSession();
  const nodes = useEditor(({ history }) => history.present.nodes);
  const targets = nodes.filter((each) => each.id === target || canConnect(session, source, each.id));
  return (
    <Select
      label={t('editor.leadsTo')}
      options={targets.map(({ id }) => ({ value: id, label: shownName(session, id) }))}
      value={target}
      onChange={(next) =>
        session.change((old) => retarget(old, id, next), { name: t('editor.did.edit', { name }) })
      }
    />
  );
});
LeadsTo.displayName = 'LeadsTo';

/** Transitions are not in the catalog of node types. */
const recordingProperty = {
  name: 'transition_speech_recording_id',
  type: 'recording_ref',
  llm_hint: null,
  default: null,
  required: false,
  placeholder: null,
  display_options: null,
  options: null,
  properties: null,
  min_value: null,
  max_value: null,
  min_length: null,
  max_length: null,
  pattern: null,
  editor: null,
} as const;

import {
  AlignStartHorizontal,
  AlignStartVertical,
  ArrowDown,
  ArrowUp,
  ChevronRight,
  Copy,
  Ellipsis,
  Plus,
  Trash2,
  X,
} from 'lucide-react';
import { memo, useEffect, useRef, useState } from 'react';
import { isObject, ownText } from '../../../../src/domain/graph/definition.ts';
import { t } from '../../app/words.ts';
import { type GraphEdge, type GraphNode, labelOf, nameOf } from '../../graph/draft.ts';
import { retarget, setData, setEdgeField, setField } from '../../graph/edit.ts';
import { type FormTab, isShown, tabsOf } from '../../graph/form.ts';
import type { Problem } from '../../graph/problems.ts';
import { globalPromptOf } from '../../graph/rendered.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Segmented, Tabs } from '../../parts/tabs.tsx';
import { Select } from '../../parts/select.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { Menu } from '../../parts/menu.tsx';
import { canConnect, copyNodes, duplicate, lineUp, moveWay, removeElements, shownName } from './actions.ts';
import { Control, type ControlProps, Json } from './controls.tsx';
import { FieldLabel } from './field-label.tsx';
import { Glyph } from './kinds.tsx';
import { PromptField } from './prompt-field.tsx';
import { type EditorSession, useEditor, useSession } from './session.ts';

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

/** The first fault of a field, in words. */
function errorOf(problems: readonly Problem[], field: string): string | undefined {
  const found = problems.find(
    (each) =>
      each.severity === 'error' && (each.field === field || each.field?.startsWith(`${field}.`) === true),
  );
  return found?.message;
}

function NodeForm({ node, onClose }: { node: GraphNode; onClose: () => void }) {
  const session = useSession();
  const problems = useEditor((state) => state.problems).filter(({ id }) => id === node.id);
  const focused = useEditor((state) => state.focused);
  const spec = session.specOf(node.type);
  const tabs = spec === undefined ? [] : tabsOf(spec);
  const wanted = tabs.find(({ fields }) =>
    fields.some(({ name }) => focused !== null && (focused === name || focused.startsWith(`${name}.`))),
  )?.id;
  const [chosen, setChosen] = useState<FormTab | 'json' | null>(null);
  const tab = chosen ?? wanted ?? tabs[0]?.id ?? 'json';
  const name = nameOf(node, spec?.display_name);
  const set = (field: string, value: unknown) => setIn(session, { id: node.id, name }, field, value);
  const isStep = !session.isBeside(node.type);
  const globalPrompt = useEditor(({ history }) => (isStep ? globalPromptOf(history.present, node) : null));
  const general = problems.filter(({ severity, field }) => severity === 'error' && field === null);
  const form = (id: FormTab) => (
    <div className="form">
      {id === 'prompt' && (
        <TextField
          label={t('editor.name')}
          value={ownText(node.data, 'name') ?? ''}
          onChange={(value) => set('name', value)}
          error={errorOf(problems, 'name')}
          {...(focused === 'name' ? { hasFocus: true } : {})}
        />
      )}
      {(tabs.find((each) => each.id === id)?.fields ?? [])
        .filter((field) => spec !== undefined && isShown(field, spec.properties, node.data))
        .map((field) =>
          field.name === 'greeting_type' ? (
            <div key={field.name} className="row justify-between">
              <span className="text-12 text-ink font-medium">{field.display_name}</span>
              <Segmented
                label={field.display_name}
                options={(field.options ?? []).map((each) => ({ id: String(each.value), label: each.label }))}
                value={String(node.data[field.name] ?? field.default)}
                onChange={(value) => set(field.name, value)}
              />
            </div>
          ) : (
            <NodeField
              key={field.name}
              nodeId={node.id}
              nodeName={name}
              property={field}
              value={node.data[field.name]}
              error={errorOf(problems, field.name)}
              globalPrompt={field.name === 'prompt' ? globalPrompt : null}
              {...(focused === field.name ? { hasFocus: true } : {})}
            />
          ),
        )}
      {id === 'prompt' && isStep && spec?.graph_constraints?.max_outgoing !== 0 && (
        <Transitions nodeId={node.id} />
      )}
    </div>
  );
  return (
    <>
      <NodeHeader id={node.id} type={node.type} name={name} onClose={onClose} />
      {general.map((problem, index) => (
        <p key={index} role="status" className="banner is-bad">
          {problem.message}
        </p>
      ))}
      {spec === undefined && (
        <p className="text-muted px-4 pb-3">{t('editor.unknownTypeLong', { type: node.type })}</p>
      )}
      <Tabs
        label={name}
        selected={tab}
        onSelect={(id) => setChosen(id as FormTab | 'json')}
        entries={[
          ...tabs.map(({ id }) => ({
            id,
            label: t(
              spec?.category === 'call_node' || id !== 'prompt' ? `editor.tab.${id}` : 'editor.tab.settings',
            ),
            content: form(id),
          })),
          {
            id: 'json',
            label: t('editor.tab.json'),
            content: (
              <div className="form">
                <Json
                  label={t('editor.data')}
                  hint={t('editor.dataHint')}
                  lines={24}
                  value={node.data}
                  onChange={(value) =>
                    isObject(value) &&
                    session.change((draft) => setData(draft, node.id, value), {
                      name: t('editor.did.edit', { name }),
                    })
                  }
                />
              </div>
            ),
          },
        ]}
      />
    </>
  );
}

interface Named {
  id: string;
  name: string;
}

/** Consecutive edits of one field are one step back. */
function setIn(session: EditorSession, { id, name }: Named, field: string, value: unknown): void {
  session.change((draft) => setField(draft, id, field, value), {
    name: t('editor.did.edit', { name }),
    key: `${id}.${field}`,
  });
}

// What follows is memoized: each key that somebody types changes the node, but hardly ever these parts.

interface NodeFieldProps extends Omit<ControlProps, 'onChange'> {
  nodeId: string;
  nodeName: string;
}

const NodeField = memo(({ nodeId, nodeName, ...rest }: NodeFieldProps) => {
  const session = useSession();
  const node = { id: nodeId, name: nodeName };
  return <Control {...rest} onChange={(value) => setIn(session, node, rest.property.name, value)} />;
});
NodeField.displayName = 'NodeField';

const NodeHeader = memo(({ id, type, name, onClose }: Named & { type: string; onClose: () => void }) => {
  const session = useSession();
  const spec = session.specOf(type);
  return (
    <header>
      <Glyph spec={spec} type={type} />
      <h2 className="text-14 text-ink cut font-semibold">{name}</h2>
      <span className="badge line">{spec?.display_name ?? type}</span>
      <span className="grow" />
      <Menu
        label={t('common.more')}
        trigger={<IconButton icon={Ellipsis} label={t('common.more')} />}
        entries={[
          {
            id: 'duplicate',
            needs: 'agents:write',
            label: t('editor.duplicate'),
            icon: Plus,
            onAction: () => duplicate(session, [id]),
          },
          {
            id: 'copy',
            label: t('common.copy'),
            icon: Copy,
            onAction: () => void copyNodes(session, [id]),
          },
          null,
          {
            id: 'delete',
            needs: 'agents:write',
            label: t('common.delete'),
            icon: Trash2,
            isDanger: true,
            onAction: () => removeElements(session, [id]),
          },
        ]}
      />
      <IconButton icon={X} label={t('common.close')} onPress={onClose} />
    </header>
  );
});
NodeHeader.displayName = 'NodeHeader';

const Transitions = memo(({ nodeId }: { nodeId: string }) => {
  const session = useSession();
  const all = useEditor(({ history }) => history.present.edges);
  const edges = all.filter(({ source }) => source === nodeId);
  return (
    <div className="field">
      <FieldLabel
        aside={
          <Button
            kind="ghost"
            size="xs"
            icon={Plus}
            needs="agents:write"
            onPress={() => session.ask({ for: 'target', source: nodeId })}
          >
            {t('editor.connectTo')}
          </Button>
        }
      >
        {t('editor.transitions', { count: edges.length })}
      </FieldLabel>
      {edges.length === 0 ? (
        <p className="text-muted">{t('editor.noTransitions')}</p>
      ) : (
        <ul className="ways">
          {edges.map((edge, index) => (
            <Way key={edge.id} edge={edge} isFirst={index === 0} isLast={index === edges.length - 1} />
          ))}
        </ul>
      )}
    </div>
  );
});
Transitions.displayName = 'Transitions';

const Way = memo(({ edge, isFirst, isLast }: { edge: GraphEdge; isFirst: boolean; isLast: boolean }) => {
  const session = useSession();
  const target = useEditor(() => shownName(session, edge.target));
  return (
    <li className="way">
      <button type="button" className="way-open" onClick={() => session.select([edge.id])}>
        <span className="cut text-ink">{labelOf(edge) === '' ? t('editor.noLabel') : labelOf(edge)}</span>
        <span className="to cut">
          <span className="t-3" aria-hidden>
            →{' '}
          </span>
          {target}
        </span>
        <span className="cond cut">{ownText(edge.data, 'condition') ?? ''}</span>
      </button>
      <IconButton
        icon={ArrowUp}
        needs="agents:write"
        size="xs"
        label={t('editor.moveUp', { name: labelOf(edge) })}
        isDisabled={isFirst}
        onPress={() => moveWay(session, edge.id, -1)}
      />
      <IconButton
        icon={ArrowDown}
        needs="agents:write"
        size="xs"
        label={t('editor.moveDown', { name: labelOf(edge) })}
        isDisabled={isLast}
        onPress={() => moveWay(session, edge.id, 1)}
      />
    </li>
  );
});
Way.displayName = 'Way';

function EdgeForm({ edge, onClose }: { edge: GraphEdge; onClose: () => void }) {
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
        <TextField
          label={t('editor.label')}
          hint={t('editor.labelHint')}
          value={ownText(edge.data, 'label') ?? ''}
          onChange={(value) => set('label', value)}
          error={errorOf(problems, 'label')}
          {...(focused === 'label' ? { hasFocus: true } : {})}
        />
        <TextField
          label={t('editor.condition')}
          hint={t('editor.conditionHint')}
          lines={3}
          value={ownText(edge.data, 'condition') ?? ''}
          onChange={(value) => set('condition', value)}
          error={errorOf(problems, 'condition')}
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

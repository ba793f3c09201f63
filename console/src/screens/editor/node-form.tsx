import { ArrowDown, ArrowUp, Copy, Ellipsis, Plus, Trash2, X } from 'lucide-react';
import { memo, useState } from 'react';
import { isObject, ownText } from '../../../../src/domain/graph/definition.ts';
import { t } from '../../app/words.ts';
import { type GraphEdge, type GraphNode, labelOf, nameOf } from '../../graph/draft.ts';
import { setData, setField } from '../../graph/edit.ts';
import { controlOf, type FormTab, isShown, isTemplate, tabsOf } from '../../graph/form.ts';
import { globalPromptOf } from '../../graph/rendered.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Menu } from '../../parts/menu.tsx';
import { Segmented, Tabs } from '../../parts/tabs.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { copyNodes, duplicate, moveWay, removeElements, shownName } from './actions.ts';
import { Control, type ControlProps, Json } from './controls.tsx';
import { FieldLabel, Help } from './field-label.tsx';
import { FieldProblems } from './field-problems.tsx';
import { Glyph } from './kinds.tsx';
import { errorText, problemText } from './problem-text.ts';
import { type EditorSession, useEditor, useSession } from './session.ts';

/** An element of the graph as a form names it. */
export interface Named {
  id: string;
  name: string;
}

/** The form of one node, by its tabs. */
export function NodeForm({ node, onClose }: { node: GraphNode; onClose: () => void }) {
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
  const nameHint = spec?.properties.find((each) => each.name === 'name')?.llm_hint;
  const general = problems.filter(({ severity, field }) => severity === 'error' && field === null);
  const form = (id: FormTab) => (
    <div className="form">
      {id === 'prompt' && (
        <TextField
          label={t('editor.name')}
          value={ownText(node.data, 'name') ?? ''}
          onChange={(value) => set('name', value)}
          aside={nameHint != null && <Help name={t('editor.name')}>{nameHint}</Help>}
          error={errorText(problems, 'name')}
          {...(focused === 'name' ? { hasFocus: true } : {})}
        />
      )}
      {(tabs.find((each) => each.id === id)?.fields ?? [])
        .filter((field) => spec !== undefined && isShown(field, spec.properties, node.data))
        .map((field) =>
          field.name === 'greeting_type' ? (
            <div key={field.name} className="row justify-between">
              <span className="row text-12 text-ink font-medium">
                {field.display_name}
                {field.llm_hint !== null && <Help name={field.display_name}>{field.llm_hint}</Help>}
              </span>
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
              error={errorText(problems, field.name)}
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
          {problemText(problem)}
        </p>
      ))}
      <FieldProblems id={node.id} field={null} />
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

/** Consecutive edits of one field are one step back. */
function setIn(session: EditorSession, { id, name }: Named, field: string, value: unknown): void {
  session.change((draft) => setField(draft, id, field, value), {
    name: t('editor.did.edit', { name }),
    key: `${id}.${field}`,
  });
}

// What follows is memoized: each key that somebody types changes the node, but hardly ever these parts.

/** Controls that say themselves why their value is refused. */
const withErrors: ReadonlySet<ReturnType<typeof controlOf>> = new Set([
  'text',
  'url',
  'area',
  'prompt',
  'number',
  'choice',
]);

interface NodeFieldProps extends Omit<ControlProps, 'onChange'> {
  nodeId: string;
  nodeName: string;
}

const NodeField = memo(({ nodeId, nodeName, ...rest }: NodeFieldProps) => {
  const session = useSession();
  const node = { id: nodeId, name: nodeName };
  const { property } = rest;
  return (
    <div>
      <Control {...rest} onChange={(value) => setIn(session, node, property.name, value)} />
      <FieldProblems
        id={nodeId}
        field={property.name}
        marksVariables={isTemplate(property) || property.type === 'fixed_collection'}
        marksErrors={isTemplate(property) || withErrors.has(controlOf(property))}
      />
    </div>
  );
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

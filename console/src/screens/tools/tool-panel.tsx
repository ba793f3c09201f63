import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Play, X } from 'lucide-react';
import { useState } from 'react';
import type { CreateToolRequest, Tool, ToolTest, UsedTool } from '../../../../src/contract/tools.ts';
import { call } from '../../app/api.ts';
import { get, queries } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Confirm, Refusal, useAction } from '../../parts/action.tsx';
import { State, Tag } from '../../parts/badge.tsx';
import { Button, IconButton } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Note } from '../../parts/note.tsx';
import { FormFields, useForm } from '../../parts/form.tsx';
import { type Field, type Value, type Values, wordsOf } from '../../parts/form-values.ts';
import { Loaded } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import type { ImportedTool } from './imported.ts';
import { toolFields } from './tool-fields.ts';
import {
  argumentsOf,
  byTemplate,
  callValuesOf,
  definitionOf,
  inputsOf,
  presetsOf,
  valuesOfTool,
} from './tool-values.ts';

type Open = (uuid: string | undefined) => void;

const refresh = async () => {
  await queries.invalidateQueries({ queryKey: ['/tools/'] });
  await queries.invalidateQueries({ queryKey: ['/tools/{tool_uuid}'] });
};

/** The form of a tool, new or stored, and a trial of its request. */
export function ToolPanel({
  uuid,
  imported,
  onOpen,
}: {
  uuid: string;
  imported: ImportedTool | null;
  onOpen: Open;
}) {
  return uuid === 'new' ? (
    <Editor tool={null} imported={imported} onOpen={onOpen} />
  ) : (
    <Stored uuid={uuid} onOpen={onOpen} />
  );
}

function Stored({ uuid, onOpen }: { uuid: string; onOpen: Open }) {
  const query = useQuery(get('/tools/{tool_uuid}', { params: { tool_uuid: uuid } }));
  return <Loaded query={query}>{(tool) => <Editor tool={tool} imported={null} onOpen={onOpen} />}</Loaded>;
}

function Editor({
  tool,
  imported,
  onOpen,
}: {
  tool: UsedTool | null;
  imported: ImportedTool | null;
  onOpen: Open;
}) {
  const begun = tool ?? imported;
  const { data: credentials = [] } = useQuery(get('/credentials/', {}));
  const [isArchiving, setArchiving] = useState(false);
  const { run, error } = useAction();
  const save = async (values: Values) => {
    const body = {
      name: wordsOf(values, 'name').trim(),
      description: wordsOf(values, 'description'),
      definition: definitionOf(values, begun?.definition ?? null) as CreateToolRequest['definition'],
    };
    if (tool === null) {
      const { body: made } = await call('post', '/tools/', {
        body: { ...body, category: null, icon: 'globe', icon_color: '#3B82F6' },
      });
      await refresh();
      toast(t('tools.made', { name: made.name }));
      onOpen(made.tool_uuid);
    } else {
      await call('put', '/tools/{tool_uuid}', {
        params: { tool_uuid: tool.tool_uuid },
        body: { ...body, icon: null, icon_color: null, status: null },
      });
      await refresh();
      toast(t('tools.saved', { name: body.name }));
    }
  };
  const form = useForm({
    fields: toolFields(tool === null, credentials),
    initial: valuesOfTool(begun, begun?.definition ?? null),
    onSave: save,
  });
  const unarchive = () =>
    run(async () => {
      if (tool === null) return;
      await call('post', '/tools/{tool_uuid}/unarchive', { params: { tool_uuid: tool.tool_uuid } });
      await refresh();
    });
  return (
    <>
      <div className="room-row">
        <h2 className="h2 grow">{tool?.name ?? t('tools.new')}</h2>
        {tool !== null && (
          <span className="hide-s">
            <Tag is="tool">{t(`tools.type.${tool.category}`)}</Tag>
          </span>
        )}
        {tool?.status === 'archived' ? (
          <Button needs="agents:write" onPress={unarchive}>
            {t('tools.unarchive')}
          </Button>
        ) : (
          tool !== null && (
            <Button kind="danger" needs="agents:write" onPress={() => setArchiving(true)}>
              {t('tools.archive')}
            </Button>
          )
        )}
        <IconButton icon={X} label={t('common.close')} onPress={() => onOpen(undefined)} />
      </div>
      <div className="grid gap-4 p-4">
        <Refusal error={error} />
        {tool !== null && <UsedBy nodes={tool.used_by} />}
        {imported !== null && <ImportNotes of={imported} />}
        <FormFields form={form} needs="agents:write" />
        <div className="flex flex-wrap items-center gap-2">
          <Button
            type="submit"
            form={form.id}
            kind="primary"
            needs="agents:write"
            isDisabled={form.isBusy || (tool !== null && !form.isDirty)}
          >
            {tool === null ? t('tools.create') : t('common.save')}
          </Button>
          {tool !== null && form.isDirty && (
            <>
              <Button onPress={form.reset}>{t('form.discard')}</Button>
              <span className="text-hint text-12">{t('form.unsaved')}</span>
            </>
          )}
        </div>
        {tool?.category === 'http_api' && <Trial key={tool.updated_at} tool={tool} isDirty={form.isDirty} />}
      </div>
      {isArchiving && tool !== null && (
        <Confirm
          title={t('tools.archiveTitle', { name: tool.name })}
          button={t('tools.archive')}
          onClose={() => setArchiving(false)}
          onConfirm={async () => {
            await call('delete', '/tools/{tool_uuid}', { params: { tool_uuid: tool.tool_uuid } });
            await refresh();
            toast(t('tools.archived', { name: tool.name }), unarchive);
            onOpen(undefined);
          }}
        >
          {t('tools.archiveWhy')}
        </Confirm>
      )}
    </>
  );
}

/** Which nodes offer the tool. */
function UsedBy({ nodes }: { nodes: UsedTool['used_by'] }) {
  return (
    <section className="grid gap-1" aria-label={t('tools.usedBy', { count: nodes.length })}>
      <h3 className="text-muted text-12">{t('tools.usedBy', { count: nodes.length })}</h3>
      {nodes.length > 0 && (
        <ul className="grid gap-1">
          {nodes.map(({ workflow_id: agent, workflow_name: name, node_id: node, node_name: title }) => (
            <li key={`${agent} ${node}`}>
              <Link
                className="link"
                to="/agents/$agentId"
                params={{ agentId: String(agent) }}
                search={{ node }}
              >
                {name} › {title ?? node}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** What was not taken over, and what to do about it. */
function ImportNotes({ of: { secrets, fromCall } }: { of: ImportedTool }) {
  return (
    <>
      {secrets.length > 0 && <Note>{t('tools.importSecrets', { names: secrets.join(', ') })}</Note>}
      {fromCall.length > 0 && <Note>{t('tools.importFromCall', { names: fromCall.join(', ') })}</Note>}
    </>
  );
}

const kinds: Readonly<Record<string, Field['kind']>> = {
  number: 'number',
  boolean: 'switch',
  object: 'json',
  array: 'json',
};

const configOf = (tool: Tool) => (tool.definition['config'] ?? {}) as Record<string, unknown>;

/** Sends the tool's request once and shows both sides. */
function Trial({ tool, isDirty }: { tool: Tool; isDirty: boolean }) {
  const [result, setResult] = useState<ToolTest | null>(null);
  const config = configOf(tool);
  const { parameters, presets } = inputsOf(config);
  const callValues = callValuesOf(config);
  const form = useForm({
    fields: [
      ...parameters.map(({ name, type, description, required }): Field => ({
        name: `arg.${name}`,
        label: name,
        kind: kinds[type] ?? 'text',
        isRequired: required && type !== 'boolean',
        ...(description === '' ? {} : { hint: description }),
      })),
      ...presets.map(({ name, type, value_template: template }): Field => ({
        name: `preset.${name}`,
        label: name,
        hint: t('tools.tryPreset'),
        ...(type === 'boolean'
          ? {
              kind: 'select',
              options: [
                { value: byTemplate, label: template },
                ...['true', 'false'].map((value) => ({ value, label: value })),
              ],
            }
          : { kind: kinds[type] ?? 'text', placeholder: template }),
      })),
      ...callValues.map((name): Field => ({
        name: `call.${name}`,
        label: name,
        kind: 'text',
        hint: t('tools.tryCall'),
      })),
    ],
    initial: {
      ...Object.fromEntries(parameters.map(({ name, type }) => [`arg.${name}`, emptyOf(type)])),
      ...Object.fromEntries(
        presets.map(({ name, type }) => [`preset.${name}`, type === 'boolean' ? byTemplate : emptyOf(type)]),
      ),
      ...Object.fromEntries(callValues.map((name) => [`call.${name}`, ''])),
    },
    onSave: async (values) => {
      const { body } = await call('post', '/tools/{tool_uuid}/test', {
        params: { tool_uuid: tool.tool_uuid },
        body: {
          llm_params: argumentsOf(parameters, values),
          preset_params: presetsOf(presets, callValues, values),
        },
      });
      setResult(body);
    },
  });
  return (
    <Card
      title={t('tools.try')}
      aside={
        <Button
          type="submit"
          form={form.id}
          icon={Play}
          needs="agents:write"
          isDisabled={form.isBusy || isDirty}
        >
          {form.isBusy ? t('tools.sending') : t('tools.send')}
        </Button>
      }
    >
      <div className="card-b grid gap-3">
        <Note>{isDirty ? t('tools.saveFirst') : t('tools.tryWhy')}</Note>
        <FormFields form={form} needs="agents:write" />
        {result !== null && <Result of={result} />}
      </div>
    </Card>
  );
}

const emptyOf = (type: string): Value => (type === 'number' ? null : type === 'boolean' ? false : '');

function Result({ of }: { of: ToolTest }) {
  const sent = of.request_body ?? of.request_params;
  const request = [
    `${of.request_method} ${of.request_url}`,
    ...Object.entries(of.request_headers).map(([name, value]) => `${name}: ${value}`),
    ...(sent === null ? [] : ['', JSON.stringify(sent, null, 2)]),
  ].join('\n');
  return (
    <div role="status" className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <State is={of.status === 'success' ? 'published' : 'bad'}>
          {of.status_code ?? t('tools.noAnswer')}
        </State>
        <span className="text-hint">{t('tools.took', { ms: of.duration_ms })}</span>
      </div>
      {of.error !== null && <p className="text-bad-text [overflow-wrap:anywhere]">{of.error}</p>}
      {of.hint !== null && <Note>{of.hint}</Note>}
      <h3 className="h2">{t('tools.modelReads')}</h3>
      <pre className="code is-block" tabIndex={0} aria-label={t('tools.modelReads')}>
        {JSON.stringify(of.data ?? null, null, 2)}
      </pre>
      <h3 className="h2">{t('tools.request')}</h3>
      <pre className="code is-block" tabIndex={0} aria-label={t('tools.request')}>
        {request}
      </pre>
    </div>
  );
}

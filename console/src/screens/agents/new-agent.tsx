import '../../styles/agents.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { FilePlus2, LayoutTemplate, type LucideIcon, PenLine, Upload } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { DropZone, FileTrigger, Form, Radio, RadioGroup } from 'react-aria-components';
import type { WorkflowTemplate } from '../../../../src/contract/agent-templates.ts';
import { nodesOf, ownText } from '../../../../src/domain/graph/definition.ts';
import { nodeOf } from '../../../../src/domain/graph/model.ts';
import { outlineOf } from '../../../../src/domain/graph/outline.ts';
import { ApiError, call } from '../../app/api.ts';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { maxNameLength } from '../../graph/agent-name.ts';
import { Tag } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { GraphThumb } from '../../parts/graph-thumb.tsx';
import { Page } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Segmented } from '../../parts/tabs.tsx';
import { overviews } from './queries.ts';
import { type Way, ways } from './filter.ts';
import { graphFaults, type Imported, readImport } from './read-import.ts';

const icons: Record<Way, LucideIcon> = {
  template: LayoutTemplate,
  description: PenLine,
  blank: FilePlus2,
  import: Upload,
};
const maxBytes = 5_000_000;
const generateTimeoutMs = 120_000;
const longSeconds = 25;

export function NewAgentPage() {
  const { way = 'template' } = useSearch({ from: '/agents/new' });
  const navigate = useNavigate();
  return (
    <Page title={t('agents.new')} room={{ to: '/agents', label: t('frame.agents') }} needs={['agents:write']}>
      <div className="new-agent">
        <nav aria-label={t('agents.ways')} className="ways">
          {ways.map((each) => {
            const Icon = icons[each];
            return (
              <button
                key={each}
                type="button"
                aria-current={each === way ? 'true' : undefined}
                onClick={() => void navigate({ to: '/agents/new', search: { way: each }, replace: true })}
              >
                <Icon className="i" aria-hidden size={16} strokeWidth={1.5} />
                {t(`agents.way.${each}`)}
              </button>
            );
          })}
        </nav>
        {way === 'template' && <FromTemplate />}
        {way === 'description' && <FromDescription />}
        {way === 'blank' && <FromBlank />}
        {way === 'import' && <FromImport />}
      </div>
    </Page>
  );
}

/** Creates an agent once per press and opens its editor. */
function useCreate() {
  const navigate = useNavigate();
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const create = async (make: () => Promise<number>) => {
    if (isBusy) return;
    setBusy(true);
    setError(null);
    try {
      const id = await make();
      void client.invalidateQueries({ queryKey: overviews.queryKey });
      await navigate({ to: `/agents/${id}` });
    } catch (caught) {
      setError(caught);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, create };
}

const messageOf = (error: unknown): string | null =>
  error === null ? null : error instanceof ApiError ? error.message : t('common.unexpected');

function Fault({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className="text-bad-text whitespace-pre-line">
      {children}
    </div>
  );
}

/** Names of what the graph of a template extracts, each once. */
function extractedBy(template: WorkflowTemplate): string[] {
  const definition = template.template_json;
  const names = nodesOf(definition).flatMap(
    (node) =>
      nodeOf(definition, ownText(node, 'id') ?? '')?.extractionVariables.map(({ name }) => name) ?? [],
  );
  return [...new Set(names)];
}

function FromTemplate() {
  const query = useQuery({ ...get('/workflow/templates', {}), staleTime: Infinity });
  return <Loaded query={query}>{(templates) => <Templates templates={templates} />}</Loaded>;
}

function Templates({ templates }: { templates: readonly WorkflowTemplate[] }) {
  const [id, setId] = useState(String(templates[0]?.id ?? ''));
  const [typed, setTyped] = useState<string | null>(null);
  const [fault, setFault] = useState<string | undefined>();
  const { isBusy, error, create } = useCreate();
  const chosen = templates.find((each) => String(each.id) === id);
  const name = typed ?? chosen?.template_name ?? '';
  return (
    <Form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() === '') return setFault(t('agents.nameMissing'));
        void create(async () => {
          const { body } = await call('post', '/workflow/templates/duplicate', {
            body: { template_id: Number(id), workflow_name: name.trim() },
          });
          return body.id;
        });
      }}
    >
      <RadioGroup aria-label={t('agents.chooseTemplate')} value={id} onChange={setId} className="templates">
        {templates.map((template) => {
          const extracted = extractedBy(template);
          return (
            <Radio key={template.id} value={String(template.id)} className="template">
              <GraphThumb outline={outlineOf(template.template_json)} />
              <span className="text-ink font-semibold">{template.template_name}</span>
              <span className="text-muted">{template.template_description}</span>
              <span className="flex flex-wrap gap-1">
                <span className="text-12 text-hint">
                  {t(extracted.length === 0 ? 'agents.extractsNothing' : 'agents.extracts')}
                </span>
                {extracted.map((each) => (
                  <Tag key={each} is="value">
                    {each}
                  </Tag>
                ))}
              </span>
            </Radio>
          );
        })}
      </RadioGroup>
      <div className="new-foot">
        <TextField
          label={t('agents.name')}
          hint={t('agents.nameHint')}
          value={name}
          onChange={(next) => {
            setTyped(next);
            setFault(undefined);
          }}
          error={fault}
          maxLength={maxNameLength}
        />
        <Button type="submit" kind="primary" size="md" needs="agents:write" isDisabled={isBusy}>
          {t(isBusy ? 'agents.creating' : 'agents.create')}
        </Button>
      </div>
      {error !== null && <Fault>{messageOf(error)}</Fault>}
    </Form>
  );
}

function FromDescription() {
  const [direction, setDirection] = useState<'inbound' | 'outbound'>('outbound');
  const [purpose, setPurpose] = useState('');
  const [activity, setActivity] = useState('');
  const [tried, setTried] = useState(false);
  const [isStopped, setStopped] = useState(false);
  const stop = useRef<AbortController | null>(null);
  const { isBusy, error, create } = useCreate();
  useEffect(() => () => stop.current?.abort(), []);
  return (
    <Form
      className="new-form"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (purpose.trim() === '' || activity.trim() === '') return;
        setStopped(false);
        const abort = new AbortController();
        stop.current = abort;
        void create(async () => {
          const { body } = await call('post', '/workflow/create/template', {
            body: { call_type: direction, use_case: purpose, activity_description: activity },
            signal: abort.signal,
            timeoutMs: generateTimeoutMs,
          });
          return body.id;
        });
      }}
    >
      <Segmented
        label={t('agents.callType')}
        options={[
          { id: 'outbound', label: t('agents.outbound') },
          { id: 'inbound', label: t('agents.inbound') },
        ]}
        value={direction}
        onChange={setDirection}
      />
      <TextField
        label={t('agents.useCase')}
        hint={t('agents.useCaseHint')}
        value={purpose}
        onChange={setPurpose}
        error={tried && purpose.trim() === '' ? t('agents.useCaseMissing') : undefined}
        maxLength={1000}
        isDisabled={isBusy}
      />
      <TextField
        label={t('agents.activity')}
        hint={t('agents.activityHint')}
        value={activity}
        onChange={setActivity}
        error={tried && activity.trim() === '' ? t('agents.activityMissing') : undefined}
        maxLength={10_000}
        lines={8}
        isDisabled={isBusy}
      />
      {isBusy ? (
        <Progress
          onStop={() => {
            stop.current?.abort();
            setStopped(true);
          }}
        />
      ) : (
        <div>
          <Button type="submit" kind="primary" size="md" needs="agents:write">
            {t('agents.generate')}
          </Button>
        </div>
      )}
      {isStopped && !isBusy ? (
        <p role="status">{t('agents.stopped')}</p>
      ) : (
        error !== null && <Fault>{messageOf(error)}</Fault>
      )}
    </Form>
  );
}

/** What is waited for, by the second; read out only when the sentence changes. */
function Progress({ onStop }: { onStop: () => void }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className="flex items-center gap-3">
      <p className="text-muted">
        {t(seconds < longSeconds ? 'agents.generating' : 'agents.generatingLong', { seconds })}
      </p>
      <Button size="md" onPress={onStop}>
        {t('agents.stopGenerating')}
      </Button>
    </div>
  );
}

const blankGraph = () => ({
  nodes: [
    {
      id: 'start',
      type: 'startCall',
      position: { x: 0, y: 0 },
      data: {
        name: t('agents.blankStart'),
        greeting: t('agents.blankGreeting'),
        prompt: t('agents.blankStartPrompt'),
      },
    },
    {
      id: 'end',
      type: 'endCall',
      position: { x: 0, y: 200 },
      data: { name: t('agents.blankEnd'), prompt: t('agents.blankEndPrompt') },
    },
  ],
  edges: [
    {
      id: 'start-end',
      source: 'start',
      target: 'end',
      data: { label: t('agents.blankTransition'), condition: t('agents.blankCondition') },
    },
  ],
});

function FromBlank() {
  const [name, setName] = useState('');
  const [fault, setFault] = useState<string | undefined>();
  const { isBusy, error, create } = useCreate();
  return (
    <Form
      className="new-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() === '') return setFault(t('agents.nameMissing'));
        void create(async () => {
          const { body } = await call('post', '/workflow/create/definition', {
            body: { name: name.trim(), workflow_definition: blankGraph() },
          });
          return body.id;
        });
      }}
    >
      <p className="text-muted">{t('agents.blankWhy')}</p>
      <TextField
        label={t('agents.name')}
        hint={t('agents.nameHint')}
        value={name}
        onChange={(next) => {
          setName(next);
          setFault(undefined);
        }}
        error={fault}
        maxLength={maxNameLength}
      />
      <div>
        <Button type="submit" kind="primary" size="md" needs="agents:write" isDisabled={isBusy}>
          {t(isBusy ? 'agents.creating' : 'agents.create')}
        </Button>
      </div>
      {error !== null && <Fault>{messageOf(error)}</Fault>}
    </Form>
  );
}

function FromImport() {
  const [text, setText] = useState('');
  const [typed, setTyped] = useState<string | null>(null);
  const [tried, setTried] = useState(false);
  const [isLarge, setLarge] = useState(false);
  const { isBusy, error, create } = useCreate();
  const read = readImport(text);
  const name = typed ?? (read.kind === 'agent' ? read.name : '');
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    setLarge(file.size > maxBytes);
    if (file.size > maxBytes) return;
    setText(await file.text());
    setTried(true);
  };
  const refused =
    read.kind === 'agent' && error instanceof ApiError ? graphFaults(error.detail, read.definition) : [];
  return (
    <Form
      className="new-form"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (read.kind === 'fault' || name.trim() === '') return;
        void create(() => importAgent(read, name.trim()));
      }}
    >
      <DropZone
        className="drop"
        aria-label={t('agents.importDrop')}
        onDrop={({ items }) => {
          const first = items.find((each) => each.kind === 'file');
          if (first !== undefined) void first.getFile().then(take);
        }}
      >
        <span>{t('agents.importDrop')}</span>
        <FileTrigger
          acceptedFileTypes={['application/json', '.json']}
          onSelect={(files) => void take(files?.[0] ?? undefined)}
        >
          <Button icon={Upload}>{t('agents.importChoose')}</Button>
        </FileTrigger>
      </DropZone>
      <TextField
        label={t('agents.importPaste')}
        hint={
          read.kind === 'agent'
            ? t('agents.importNodes', {
                nodes: read.definition.nodes.length,
                edges: read.definition.edges.length,
              }) + (hasMore(read) ? ` ${t('agents.importWithSettings')}` : '')
            : t('agents.importHint')
        }
        error={
          isLarge
            ? t('agents.importFault.large')
            : tried && read.kind === 'fault'
              ? t(`agents.importFault.${read.code}`, { why: read.detail, place: read.detail })
              : undefined
        }
        value={text}
        onChange={(next) => {
          setText(next);
          setLarge(false);
        }}
        lines={8}
        isCode
      />
      <TextField
        label={t('agents.name')}
        hint={t('agents.nameHint')}
        value={name}
        onChange={setTyped}
        error={tried && read.kind === 'agent' && name.trim() === '' ? t('agents.nameMissing') : undefined}
        maxLength={maxNameLength}
      />
      <div>
        <Button type="submit" kind="primary" size="md" needs="agents:write" isDisabled={isBusy}>
          {t(isBusy ? 'agents.creating' : 'agents.import')}
        </Button>
      </div>
      {error !== null && (
        <Fault>
          <p className="font-semibold">{t('agents.importFaults')}</p>
          {refused.length === 0 ? (
            <p>{messageOf(error)}</p>
          ) : (
            <ul className="list-disc ps-5">
              {refused.map((each) => (
                <li key={each}>{each}</li>
              ))}
            </ul>
          )}
        </Fault>
      )}
    </Form>
  );
}

type ReadAgent = Imported & { kind: 'agent' };

const hasMore = ({ settings, testValues }: ReadAgent): boolean =>
  Object.keys(settings).length > 0 || Object.keys(testValues).length > 0;

/** Settings and test values are not part of the creation, so they become the first draft. */
async function importAgent(agent: ReadAgent, name: string): Promise<number> {
  const { body, etag } = await call('post', '/workflow/create/definition', {
    body: { name, workflow_definition: agent.definition },
  });
  if (hasMore(agent))
    await call('put', '/workflow/{workflow_id}', {
      params: { workflow_id: body.id },
      body: {
        workflow_configurations: agent.settings,
        template_context_variables: agent.testValues,
      },
      ifMatch: etag,
    });
  return body.id;
}

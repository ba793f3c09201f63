import type { Workflow, WorkflowListItem } from '../../contract/agents.ts';
import { UsageError } from '../failures.ts';
import { type JsonObject, isObject } from '../json.ts';
import type { ApiClient, Answer } from './client.ts';

/** The parts of an agent that are stored in files. */
export interface AgentContent {
  name: string;
  settings: JsonObject;
  testValues: JsonObject;
  definition: JsonObject;
}

/** An agent on the server: its draft, or its published version if there is no draft. */
export interface ServerAgent {
  id: number;
  uuid: string;
  version: number;
  isDraft: boolean;
  content: AgentContent;
  /** Value for If-Match. Undefined if the server gives none. */
  etag: string | undefined;
}

export interface AgentApi {
  list(): Promise<WorkflowListItem[]>;
  get(id: number): Promise<ServerAgent>;
  create(content: Pick<AgentContent, 'name' | 'definition'>, idempotencyKey: string): Promise<ServerAgent>;
  /** Changes the given parts in one transaction. With an etag, only if the agent still has it. */
  save(id: number, change: Partial<AgentContent>, etag: string | undefined): Promise<ServerAgent>;
  publish(id: number, etag: string | undefined): Promise<void>;
  /** Throws ApiRefusal with the graph's faults. */
  validate(id: number): Promise<void>;
}

export function createAgentApi(api: ApiClient): AgentApi {
  const at = (id: number) => ({ params: { workflow_id: id } });
  return {
    list: async () => (await api.call('get', '/workflow/fetch', {})).body,
    get: async (id) => toServerAgent(await api.call('get', '/workflow/fetch/{workflow_id}', at(id))),
    create: async ({ name, definition }, idempotencyKey) =>
      toServerAgent(
        await api.call('post', '/workflow/create/definition', {
          body: { name, workflow_definition: definition },
          idempotencyKey,
        }),
      ),
    save: async (id, { name, definition, settings, testValues }, etag) =>
      toServerAgent(
        await api.call('put', '/workflow/{workflow_id}', {
          ...at(id),
          body: {
            ...(name === undefined ? {} : { name }),
            ...(definition === undefined ? {} : { workflow_definition: definition }),
            ...(settings === undefined ? {} : { workflow_configurations: settings }),
            ...(testValues === undefined ? {} : { template_context_variables: testValues }),
          },
          ifMatch: etag,
        }),
      ),
    publish: async (id, etag) =>
      void (await api.call('post', '/workflow/{workflow_id}/publish', { ...at(id), ifMatch: etag })),
    validate: async (id) => void (await api.call('post', '/workflow/{workflow_id}/validate', at(id))),
  };
}

function toServerAgent({ body, etag }: Answer<Workflow>): ServerAgent {
  return {
    id: body.id,
    uuid: body.workflow_uuid ?? String(body.id),
    version: body.version_number ?? 0,
    isDraft: body.version_status === 'draft',
    content: {
      name: body.name,
      settings: body.workflow_configurations ?? {},
      testValues: body.template_context_variables ?? {},
      definition: body.workflow_definition,
    },
    etag,
  };
}

/** The uuid in a list item. The wire allows null, which becomes the id. */
export const uuidOf = (item: WorkflowListItem): string => item.workflow_uuid ?? String(item.id);

/** Finds an agent by id, uuid, or a name that only one active agent has. Throws UsageError. */
export function chooseAgent(agents: readonly WorkflowListItem[], wanted: string): WorkflowListItem {
  const exact = agents.find((each) => String(each.id) === wanted || each.workflow_uuid === wanted);
  if (exact !== undefined) return exact;
  const named = agents.filter(
    ({ name, status }) => status === 'active' && name.toLowerCase() === wanted.toLowerCase(),
  );
  const [only, ...others] = named;
  if (only === undefined)
    throw new UsageError(`There is no agent "${wanted}"`, '`parlance agents list` shows ids and names.');
  if (others.length > 0)
    throw new UsageError(
      `${named.length} agents have the name "${wanted}": ${named.map(({ id }) => id).join(', ')}`,
      'Use the id instead.',
    );
  return only;
}

/** Names of a definition's nodes by their ids. */
export function nodeNames({ nodes }: { nodes?: unknown }): ReadonlyMap<string, string> {
  const list: unknown[] = Array.isArray(nodes) ? nodes : [];
  return new Map(
    list.filter(isObject).map(({ id, data }) => {
      const name = isObject(data) && typeof data['name'] === 'string' ? data['name'].trim() : '';
      return [String(id), name === '' ? String(id) : name];
    }),
  );
}

// What a customer's program does with the published npm client, unmodified: it reads its address and key from
// the environment. The test runs a copy of this file beside the client's node_modules and reads the one line
// of JSON that it prints.
import { DograhClient, Workflow } from '@dograh/sdk';
import * as typed from '@dograh/sdk/typed';

const client = new DograhClient();
const { spec_version: specVersion, node_types: nodeTypes } = await client.listNodeTypes();

const workflow = new Workflow({ client, name: 'Built by a client' });
const start = await workflow.addTyped(typed.startCall({ prompt: 'Greet', greeting: 'Hello {{first_name}}' }));
const ask = await workflow.addTyped(
  typed.agentNode({
    prompt: 'Ask for a day',
    extraction_enabled: true,
    extraction_variables: [{ name: 'day', type: 'string', prompt: 'The day' }],
  }),
);
const end = await workflow.addTyped(typed.endCall({ prompt: 'Say goodbye' }));
await workflow.addTyped(typed.globalNode({ prompt: 'You are kind.' }));
await workflow.addTyped(
  typed.webhook({
    endpoint_url: 'https://crm.example.com/in',
    custom_headers: [{ key: 'X-Source', value: 'call' }],
  }),
);
await workflow.addTyped(typed.qa({}));
await workflow.addTyped(typed.trigger({}));
await workflow.addTyped(
  typed.tuner({ tuner_agent_id: 'a', tuner_workspace_id: 3, tuner_api_key: 'tuner-key-1234' }),
);
workflow.edge(start, ask, { label: 'Begin', condition: 'The user answered' });
workflow.edge(ask, end, { label: 'Done', condition: 'A day is agreed' });

const created = await client.createWorkflow({
  body: { name: workflow.name, workflow_definition: workflow.toJson() },
});
const loaded = await client.loadWorkflow(created.id);
loaded.name = 'Renamed by a client';
const saved = await client.saveWorkflow(created.id, loaded);
const again = await client.loadWorkflow(created.id);
const tool = await client.createTool({
  body: { name: 'Adding', category: 'calculator', definition: { type: 'calculator' } },
});
const call = { workflow_id: created.id, phone_number: '+491511234567' };

/** The client has no call for templates. */
async function copyOf(id) {
  const headers = { 'X-API-Key': process.env.DOGRAH_API_KEY, 'Content-Type': 'application/json' };
  const answer = await fetch(`${process.env.DOGRAH_API_URL}/api/v1/workflow/templates/duplicate`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ template_id: id, workflow_name: `Copy of ${id}` }),
  });
  return (await answer.json()).id;
}

process.stdout.write(
  JSON.stringify({
    spec_version: specVersion,
    node_types: nodeTypes.map(({ name }) => name),
    id: created.id,
    saved: [saved.version_number, saved.version_status, saved.name],
    is_same: JSON.stringify(again.toJson()) === JSON.stringify(loaded.toJson()),
    workflows: (await client.listWorkflows({ status: 'active' })).map(({ id, name }) => [id, name]),
    tool: tool.tool_uuid,
    tools: (await client.listTools()).map((each) => each.tool_uuid),
    credentials: await client.listCredentials(),
    documents: (await client.listDocuments({ limit: 5 })).documents,
    recordings: (await client.listRecordings({ workflowId: created.id })).recordings,
    call: await client
      .testPhoneCall({ body: call })
      .catch(({ statusCode, body }) => [statusCode, body.detail]),
    copies: await Promise.all(
      [1, 2, 3, 4, 5, 6].map(async (id) => (await client.loadWorkflow(await copyOf(id))).name),
    ),
    unknown_type: await new DograhClient().getNodeType('no-such').catch(({ name }) => name),
    unknown_agent: await client.loadWorkflow(999_999).catch(({ statusCode }) => statusCode),
  }),
);

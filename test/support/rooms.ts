import { z } from 'zod';
import { node, threeStepDefinition } from './definitions.ts';
import type { ConsoleWorld } from './console.ts';

const Made = z.looseObject({ id: z.int() });
const Session = z.looseObject({ workflow_run_id: z.int() });
const Tool = z.looseObject({ tool_uuid: z.string() });

/** What the rooms of connections show: ids of what `fillRooms` made. */
export interface FilledRooms {
  agentId: number;
  toolUuid: string;
}

/** A credential, a tool, a carrier with a number, and an agent whose ended call sends a webhook to `receiverUrl`. */
export async function fillRooms(
  { ask, service, mark }: Pick<ConsoleWorld, 'ask' | 'service' | 'mark'>,
  receiverUrl: string,
): Promise<FilledRooms> {
  await ask('POST', '/user/api-keys', { name: 'Booking server', scopes: ['calls:trigger', 'read'] });
  await ask('POST', '/credentials/', {
    name: 'Practice system',
    credential_type: 'bearer_token',
    credential_data: { token: 'practice-secret' },
    allowed_hosts: ['127.0.0.1'],
  });
  const { tool_uuid: toolUuid } = Tool.parse(
    await ask('POST', '/tools/', {
      name: 'Find free slots',
      description: 'Looks up free appointments of a day.',
      definition: {
        type: 'http_api',
        config: {
          method: 'POST',
          url: `${receiverUrl}/slots`,
          parameters: [{ name: 'day', type: 'string', description: 'The wanted day', required: true }],
          preset_parameters: [],
        },
      },
    }),
  );
  const graph = threeStepDefinition({ webhook: false });
  const agent = Made.parse(
    await ask('POST', '/workflow/create/definition', {
      name: 'Appointment reminder',
      workflow_definition: {
        ...graph,
        nodes: [
          ...z.array(z.unknown()).parse(graph['nodes']),
          node('hook', 'webhook', {
            name: 'Send to practice',
            endpoint_url: `${receiverUrl}/hook`,
            payload_template: { name: '{{initial_context.name}}' },
          }),
        ],
      },
    }),
  );
  const sessions = `/workflow/${agent.id}/text-chat/sessions`;
  const { workflow_run_id: runId } = Session.parse(
    await ask('POST', sessions, { initial_context: { name: 'Maria' } }),
  );
  await ask('POST', `${sessions}/${runId}/end`, {});
  const { publicKey } = z
    .object({ publicKey: z.string() })
    .parse(await (await fetch(`${service.carrier.url}/emulator/public-key`)).json());
  const connection = Made.parse(
    await ask('POST', '/organizations/telephony-configs', {
      name: 'Front desk, simulated carrier',
      config: { provider: 'telnyx', api_key: `simulated-key${mark}`, webhook_public_key: publicKey },
    }),
  );
  await ask('POST', `/organizations/telephony-configs/${connection.id}/phone-numbers`, {
    address: '+12025550101',
    label: 'Front desk',
    inbound_workflow_id: agent.id,
    is_default_caller_id: true,
  });
  return { agentId: agent.id, toolUuid };
}

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Rule } from '../../emulators/llm/rules.ts';
import { agentTemplates } from '../../src/domain/agent-templates/templates.ts';
import { functionNameOf } from '../../src/domain/graph/function-name.ts';
import { at } from '../support/api-on-services.ts';
import { eventually } from '../support/process.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { startWholeService, type WholeService } from '../support/whole-service.ts';

/** What a caller says to a template, and the node that each answer leads to. */
interface Script {
  /** In order; each sentence leads to one node. */
  said: readonly (readonly [sentence: string, to: string])[];
  /** Patterns for values in the caller's words, with one group each. */
  reads: Record<string, { pattern: string; value?: string | number | boolean }[]>;
  /** The webhook's values. */
  answers: Record<string, string>;
  disposition: string;
}

const scripts: Record<number, Script> = {
  1: {
    said: [
      ['Yes, this is Maria.', 'confirm'],
      ['I cannot come, I have to work. Another day please.', 'another_time'],
      ['Thursday at nine. Yes, exactly.', 'moved'],
    ],
    reads: {
      confirmed: [{ pattern: 'I cannot come', value: false }],
      reason: [{ pattern: 'come, (I have to \\w+)' }],
      preferred_time: [{ pattern: '(Thursday at \\w+)' }],
    },
    answers: {
      confirmed: 'false',
      reason: 'I have to work',
      preferred_time: 'Thursday at nine',
      question_for_office: '',
    },
    disposition: 'appointment_reschedule',
  },
  2: {
    said: [
      ['Sure, go ahead.', 'need'],
      ['We want to pay less for power, today we buy everything from the grid.', 'fit'],
      ['By spring, about 20000 euros, and I decide.', 'meeting'],
      ['Monday at ten, sam at example dot test, yes.', 'qualified'],
    ],
    reads: {
      need: [{ pattern: 'We want to (pay less for power)' }],
      budget: [{ pattern: 'about (\\d+) euros' }],
      is_decision_maker: [{ pattern: 'I decide', value: true }],
      meeting_time: [{ pattern: '(Monday at ten)' }],
      email: [{ pattern: 'sam at example dot test', value: 'sam@example.test' }],
    },
    answers: {
      need: 'pay less for power',
      budget: '20000',
      is_decision_maker: 'true',
      meeting_time: 'Monday at ten',
      email: 'sam@example.test',
    },
    disposition: 'user_qualified',
  },
  3: {
    said: [
      ['Yes, I am Jordan Lee.', 'identity'],
      ['Nineteen eighty-four.', 'reminder'],
      ['I forgot it, I can pay.', 'promise'],
      ['On Friday, 84.5 euros, agreed.', 'promised'],
    ],
    reads: {
      reason_not_paid: [{ pattern: '(I forgot it)' }],
      payment_date: [{ pattern: 'On (Friday)' }],
      payment_amount: [{ pattern: '([\\d.]+) euros' }],
    },
    answers: {
      reason_not_paid: 'I forgot it',
      payment_date: 'Friday',
      payment_amount: '84.5',
      objection: '',
    },
    disposition: 'promise_to_pay',
  },
  4: {
    said: [
      ['All right, ask me.', 'score'],
      ['I would say 9.', 'why'],
      ['Because the staff was kind.', 'better'],
      ['Better coffee. And yes, you may call.', 'finished'],
    ],
    reads: {
      score: [{ pattern: 'say (\\d+)' }],
      score_reason: [{ pattern: 'Because (the staff was kind)' }],
      improvement: [{ pattern: '(Better coffee)' }],
      may_contact: [{ pattern: 'you may call', value: true }],
    },
    answers: {
      score: '9',
      score_reason: 'the staff was kind',
      improvement: 'Better coffee',
      may_contact: 'true',
    },
    disposition: 'survey_completed',
  },
  5: {
    said: [
      ['The program does not start.', 'problem'],
      ['Since this morning, I restarted it. Right.', 'urgency'],
      ['I cannot work, and 12 of us neither.', 'contact'],
      ['Kim Park, kim at example dot test, correct.', 'ticket'],
    ],
    reads: {
      problem: [{ pattern: '(The program does not start)' }],
      since_when: [{ pattern: 'Since (this morning)' }],
      can_work: [{ pattern: 'I cannot work', value: false }],
      people_affected: [{ pattern: '(\\d+) of us' }],
      caller_name: [{ pattern: '(Kim Park)' }],
      contact: [{ pattern: 'kim at example dot test', value: 'kim@example.test' }],
    },
    answers: {
      problem: 'The program does not start',
      since_when: 'this morning',
      can_work: 'false',
      people_affected: '12',
      caller_name: 'Kim Park',
      contact: 'kim@example.test',
    },
    disposition: 'ticket_created',
  },
  6: {
    said: [
      ['Speaking.', 'announce'],
      ['Nobody is home then.', 'other_day'],
      ['Friday morning is good, yes.', 'place'],
      ['The address is right. Please ring twice. That is all.', 'confirmed'],
    ],
    reads: {
      somebody_there: [{ pattern: 'Nobody is home', value: false }],
      new_delivery_day: [{ pattern: '(Friday morning)' }],
      address_right: [{ pattern: 'address is right', value: true }],
      note_for_driver: [{ pattern: 'Please (ring twice)' }],
    },
    answers: {
      somebody_there: 'false',
      new_delivery_day: 'Friday morning',
      address_right: 'true',
      note_for_driver: 'ring twice',
    },
    disposition: 'delivery_confirmed',
  },
};

const objection = 'Stop it and never call me again.';

/**
 * The simulated model follows the edge whose condition the script meets, and extracts values from the lines;
 * outcomes come from the prompt.
 */
function rules(): Rule[] {
  const spoken = { wantsJson: false };
  const ways = agentTemplates.flatMap(({ id, design }) => {
    let from = 'opening';
    return (scripts[id]?.said ?? []).map(([sentence, to]): Rule => {
      const label = design.ways.find((way) => way.from === from && way.to === to)?.label ?? 'none';
      from = to;
      return {
        name: `${id} to ${to}`,
        when: { ...spoken, userText: sentence },
        answer: { call: { tool: functionNameOf(label) } },
      };
    });
  });
  return [
    ...ways,
    {
      name: 'objection',
      when: { ...spoken, userText: objection },
      answer: { call: { tool: 'do_not_call_again' } },
    },
    { name: 'words', when: spoken, answer: { say: 'Simulated words.' } },
    {
      name: 'objection noted',
      when: { wantsJson: true, userPattern: 'Write exactly: do_not_call\\n' },
      answer: { say: '{"call_disposition":"do_not_call","do_not_call":true}' },
    },
    {
      name: 'outcome',
      when: { wantsJson: true, userPattern: 'Write exactly: (?<word>\\w+)' },
      answer: { say: '{"call_disposition":"{{word}}"}' },
    },
    ...agentTemplates.map(({ id }): Rule => ({
      name: `values of ${id}`,
      when: {
        wantsJson: true,
        systemText: 'You read a conversation',
        userPattern: scripts[id]?.said[0]?.[0].replaceAll('.', '\\.') ?? 'none',
      },
      answer: { read: scripts[id]?.reads ?? {} },
    })),
  ];
}

describe('a copy of each template runs to its end on the real service', () => {
  let service: WholeService;
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await startReceiver();
    service = await startWholeService();
    service.startWorker();
    await fetch(`${service.llmUrl}/emulator/rules`, {
      method: 'POST',
      body: JSON.stringify({ scope: 'simulated', rules: rules() }),
    });
  });
  afterAll(async () => {
    await service.stop();
    await receiver.close();
  });

  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await service.request(method, path, body);
    expect({ path, ...answer }).toMatchObject({ status: 200 });
    return answer.body;
  };

  /** A published copy with a webhook address, as a customer prepares it for the first call. */
  async function readyCopy(templateId: number, address: string | null): Promise<number> {
    const copy = await send('POST', '/workflow/templates/duplicate', {
      template_id: templateId,
      workflow_name: `Copy of ${templateId}`,
    });
    const path = `/workflow/${String(at(copy, 'id'))}`;
    const graph: { nodes: { type: string; data: object }[] } = JSON.parse(
      JSON.stringify(at(copy, 'workflow_definition')),
    );
    if (address !== null) {
      const nodes = graph.nodes.map((node) =>
        node.type === 'webhook' ? { ...node, data: { ...node.data, endpoint_url: address } } : node,
      );
      await send('PUT', path, { workflow_definition: { ...graph, nodes } });
      await send('POST', `${path}/publish`);
    }
    return Number(at(copy, 'id'));
  }

  /** Says the lines one after the other; answers the last reply. */
  async function talk(agentId: number, sentences: readonly string[]): Promise<unknown> {
    const opened = await send('POST', `/workflow/${agentId}/text-chat/sessions`, {});
    const greeting = String(at(opened, 'session_data', 'turns', 0, 'assistant_message', 'text'));
    expect(greeting).toMatch(/^[^.!?]*\bAI\b/);
    expect(greeting).not.toContain('{{');
    const path = `/workflow/${agentId}/text-chat/sessions/${String(at(opened, 'workflow_run_id'))}/messages`;
    let answer = opened;
    for (const text of sentences)
      answer = await send('POST', path, { text, expected_revision: at(answer, 'revision') });
    return answer;
  }

  const received = (address: string): Promise<unknown> =>
    eventually('the webhook', () => {
      const request = receiver.requests.find(({ path }) => path === address);
      return request === undefined ? undefined : JSON.parse(request.body);
    });

  describe.each(agentTemplates.map((template) => [template.name, template] as const))(
    '%s',
    (_name, { id, testValues, design }) => {
      test("to its intended end: the webhook has the caller's words, the contact and the outcome", async () => {
        const script = scripts[id] ?? { said: [], answers: {}, disposition: '' };
        const agentId = await readyCopy(id, `${receiver.url}/reached/${id}`);
        const last = await talk(
          agentId,
          script.said.map(([sentence]) => sentence),
        );
        expect(at(last, 'state')).toBe('completed');
        expect(await received(`/reached/${id}`)).toMatchObject({
          call: { agent: `Copy of ${id}`, transcript_url: expect.stringContaining('/transcript') },
          person: Object.fromEntries(design.passOn.map((name) => [name, testValues[name]])),
          answers: { ...script.answers, do_not_call: 'false' },
          call_disposition: script.disposition,
        });
      });

      test('to an early end when the caller objects, and the webhook says so in three places', async () => {
        const agentId = await readyCopy(id, `${receiver.url}/objected/${id}`);
        const last = await talk(agentId, [scripts[id]?.said[0]?.[0] ?? '', objection]);
        expect(at(last, 'state')).toBe('completed');
        expect(await received(`/objected/${id}`)).toMatchObject({
          answers: { do_not_call: 'true' },
          call_disposition: 'do_not_call',
          steps: expect.stringContaining('"Do not call again"'),
        });
      });
    },
  );

  test('without a request from a webhook without an address, while the webhook of another copy arrives', async () => {
    const agentId = await readyCopy(1, null);
    expect(at(await talk(agentId, ['Yes, this is Maria.', objection]), 'state')).toBe('completed');
    await talk(await readyCopy(1, `${receiver.url}/another`), ['Yes, this is Maria.', objection]);
    await received('/another');
    expect(await send('GET', `/webhook-deliveries?workflow_id=${agentId}`)).toMatchObject({ items: [] });
  });
});

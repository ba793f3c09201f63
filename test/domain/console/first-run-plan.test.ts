import { expect, test } from '@jest/globals';
import { bodyParts, planOf, repliesOf, stopsOf } from '../../../console/src/screens/welcome/plan.ts';
import { appointmentReminder } from '../../../src/domain/agent-templates/appointment-reminder.ts';
import { composeAgent } from '../../../src/domain/agent-templates/compose.ts';
import { agentTemplates } from '../../../src/domain/agent-templates/templates.ts';

const plans = agentTemplates.map(({ name, design }) => ({ name, plan: planOf({ ...composeAgent(design) }) }));
const plan = planOf({ ...composeAgent(appointmentReminder.design) });
const visit = (nodeId: string, atMs = 0) => ({ nodeId, name: nodeId, atMs });
const body = (variables: Record<string, unknown>, isEnded: boolean) =>
  bodyParts(plan.webhook?.template, { variables, isEnded, openWords: 'not yet' });

test.each(plans)('$name has nodes, values without the outcome, and a webhook', ({ plan: each }) => {
  expect(each.nodes.length).toBeGreaterThan(2);
  expect(each.values.length).toBeGreaterThan(0);
  expect(each.values.map(({ name }) => name)).not.toContain('call_disposition');
  expect(each.webhook).toMatchObject({ method: 'POST', url: '' });
});

test('the path shows the nodes of the plan and then the end that this call reached', () => {
  const stops = stopsOf(plan, [visit('opening'), visit('confirm', 900), visit('moved', 2000)], false);
  expect(stops.map(({ id, is }) => [id, is])).toEqual([
    ['opening', 'seen'],
    ['confirm', 'seen'],
    ['another_time', 'later'],
    ['questions', 'later'],
    ['moved', 'now'],
  ]);
  expect(stopsOf(plan, [visit('moved')], true).at(-1)?.is).toBe('seen');
});

test('the body says what is open during the call, and is valid JSON with every value after it', () => {
  const given = { initial_context: { full_name: 'Maria "M" Keller' } };
  const before = body(given, false);
  expect(before.filter(({ is }) => is === 'open').length).toBeGreaterThan(5);
  expect(before).toContainEqual({ is: 'given', text: '"Maria \\"M\\" Keller"' });
  const ended = body({ ...given, gathered_context: { confirmed: false } }, true);
  expect(ended).toContainEqual({ is: 'found', text: '"false"' });
  const sent: unknown = JSON.parse(ended.map(({ text }) => text).join(''));
  expect(sent).toMatchObject({ answers: { confirmed: 'false', do_not_call: 'false', reason: '' } });
});

test('replies are those of the present node that have not been said there', () => {
  const samples = { opening: ['Yes.', 'No.'] };
  expect(repliesOf(samples, 'opening', ['Yes.'])).toEqual(['No.']);
  expect(repliesOf(samples, 'elsewhere', [])).toEqual([]);
  expect(repliesOf(samples, undefined, [])).toEqual([]);
});

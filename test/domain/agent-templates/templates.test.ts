import { describe, expect, test } from '@jest/globals';
import { readAgentSettings } from '../../../src/domain/agents/settings.ts';
import { WorkflowConfigurations } from '../../../src/contract/settings.ts';
import { composeAgent } from '../../../src/domain/agent-templates/compose.ts';
import { agentTemplates } from '../../../src/domain/agent-templates/templates.ts';
import { outcomeOfCall } from '../../../src/domain/campaign/call-outcome.ts';
import { readCallbackTime } from '../../../src/domain/campaign/callback-time.ts';
import { isDisposition } from '../../../src/domain/call/dispositions.ts';
import { findNodeType } from '../../../src/domain/graph/catalog/node-specs.ts';
import {
  edgesOf,
  isObject,
  nodesOf,
  own,
  ownList,
  ownObject,
  ownText,
  type JsonObject,
} from '../../../src/domain/graph/definition.ts';
import { sendableWebhooks, webhookNodes } from '../../../src/domain/graph/model.ts';
import { validateDefinition } from '../../../src/domain/graph/validate.ts';
import { renderTemplate } from '../../../src/domain/rendering/render.ts';
import { parseTemplate } from '../../../src/domain/template/parse.ts';

const each = agentTemplates.map(
  (template) => [template.name, { ...template, graph: composeAgent(template.design) }] as const,
);

const kindOf = (node: JsonObject) => ownText(node, 'type') ?? '';
const talking = (graph: JsonObject) =>
  nodesOf(graph).filter((node) => ['startCall', 'agentNode'].includes(kindOf(node)));
const ends = (graph: JsonObject) => nodesOf(graph).filter((node) => kindOf(node) === 'endCall');
const targetsOf = (graph: JsonObject, id: unknown) =>
  edgesOf(graph)
    .filter((edge) => edge['source'] === id)
    .map((edge) => ownText(edge, 'target') ?? '');
const variablesOf = (node: JsonObject) =>
  ownList(ownObject(node, 'data'), 'extraction_variables').filter(isObject);

/** Every template text of the conversation: what the caller hears and what the model reads. */
function textsOf(graph: JsonObject): string[] {
  return nodesOf(graph)
    .filter((node) => kindOf(node) !== 'webhook')
    .flatMap((node) => {
      const data = ownObject(node, 'data');
      return [
        data['greeting'],
        data['prompt'],
        data['extraction_prompt'],
        ...variablesOf(node).map(({ prompt }) => prompt),
      ].filter((text) => typeof text === 'string');
    });
}

/** Placeholders except time variables, and whether they have a default. */
const placeholders = (texts: string[]) =>
  texts
    .flatMap(parseTemplate)
    .flatMap((segment) =>
      segment.kind === 'placeholder' && !segment.name.startsWith('current_')
        ? [{ name: segment.name, hasDefault: (segment.defaultText ?? '') !== '' }]
        : [],
    );

test('ids never change, because clients identify templates by them', () => {
  expect(agentTemplates.map(({ id, name }) => [id, name])).toEqual([
    [1, 'Appointment reminder'],
    [2, 'Lead qualification'],
    [3, 'Debt reminder'],
    [4, 'Customer survey'],
    [5, 'Support intake'],
    [6, 'Delivery confirmation'],
  ]);
});

describe.each(each)('%s', (_name, { graph, design, testValues, settings }) => {
  test('can be published and called without changes', () => {
    expect(validateDefinition(graph)).toEqual({ is_valid: true, errors: [] });
    expect(nodesOf(graph).filter((node) => kindOf(node) === 'agentNode').length).toBeGreaterThanOrEqual(3);
    expect(nodesOf(graph).filter((node) => kindOf(node) === 'globalNode')).toHaveLength(1);
    expect(WorkflowConfigurations.parse(settings)).toEqual(settings);
  });

  // guarantee: outbound-templates-detect-machines
  test('detects answering machines if it calls people', () => {
    expect(readAgentSettings(settings).voicemailDetection.isEnabled).toBe(design.callType === 'outbound');
  });

  test('has only keys of the catalog and all required ones, because published clients refuse others', () => {
    for (const node of nodesOf(graph)) {
      const properties = findNodeType(kindOf(node))?.properties ?? [];
      const data = ownObject(node, 'data');
      expect(properties.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(data)));
      expect(Object.keys(data)).toEqual(
        expect.arrayContaining(properties.filter(({ required }) => required).map(({ name }) => name)),
      );
      for (const variable of variablesOf(node))
        expect(Object.keys(variable)).toEqual(['name', 'type', 'prompt']);
    }
  });

  test('asks a person without time when to call again, in a form that campaigns read, even when the person names no time', () => {
    if (design.callType === 'inbound') return;
    const later = nodesOf(graph).find(({ id }) => id === 'call_back_later');
    const prompt =
      later === undefined
        ? ''
        : String(variablesOf(later).find(({ name }) => name === 'callback_at')?.['prompt']);
    expect(talking(graph).some(({ id }) => targetsOf(graph, id).includes('call_back_later'))).toBe(true);
    const times =
      renderTemplate(prompt, { variables: {}, now: new Date('2026-11-23T10:13:04Z') }).match(
        /\d{4}-\d\d-\d\dT[\d:+]+/g,
      ) ?? [];
    const read = (value: string) =>
      readCallbackTime({ value, zone: 'America/New_York', now: new Date('2026-11-23T10:13:04Z') });
    expect(times.map(read)).toEqual([
      { kind: 'at', at: new Date('2026-11-24T20:30:00Z') },
      { kind: 'at', at: new Date('2026-11-24T15:30:00Z') },
    ]);
    expect(prompt).toMatch(/write exactly: another day$/);
    const answered = {
      disposition: 'callback_requested',
      tags: [],
      retryClass: 'none' as const,
      notDialed: null,
      isInDoubt: false,
      wasAnswered: true,
      talkedSeconds: 20,
      wasRefused: false,
      wasStopped: false,
    };
    expect(outcomeOfCall({ ...answered, gathered: { callback_at: 'another day' } })).toBe('callback');
  });

  test('every step can be reached and leads to an end', () => {
    const reach = (from: string, seen = new Set<string>()): Set<string> => {
      if (!seen.has(from)) targetsOf(graph, from).forEach((to) => reach(to, seen.add(from)));
      return seen.add(from);
    };
    expect([...reach('opening')].toSorted()).toEqual(
      [...talking(graph), ...ends(graph)].map(({ id }) => String(id)).toSorted(),
    );
    const endIds = ends(graph).map(({ id }) => id);
    for (const { id } of talking(graph))
      expect([...reach(String(id))].some((reached) => endIds.includes(reached))).toBe(true);
  });

  test('discloses the AI in the first sentence, with and without values', () => {
    for (const variables of [testValues, {}]) {
      const [first] = renderTemplate(design.greeting, { variables, now: new Date() }).split(/[.!?]/);
      expect(first).toMatch(/\bAI\b/);
    }
  });

  // guarantee: templates-offer-opt-out-at-each-step
  test('lets people opt out at every step, with an end and a disposition of its own', () => {
    for (const { id } of talking(graph)) expect(targetsOf(graph, id)).toContain('do_not_call');
    const end = ends(graph).find(({ id }) => id === 'do_not_call') ?? {};
    expect(variablesOf(end).map(({ name, type }) => [name, type])).toEqual([
      ['call_disposition', 'string'],
      ['do_not_call', 'boolean'],
    ]);
    expect(variablesOf(end)[0]?.['prompt']).toContain('do_not_call');
  });

  test('gives every end its own disposition', () => {
    const outcomes = ends(graph).map(
      (end) =>
        /exactly: (\w+)$/.exec(
          String(variablesOf(end).find(({ name }) => name === 'call_disposition')?.['prompt']),
        )?.[1],
    );
    expect(
      outcomes.every(
        (outcome) => outcome !== undefined && (isDisposition(outcome) || /^[a-z_]{4,32}$/.test(outcome)),
      ),
    ).toBe(true);
    expect(new Set(outcomes).size).toBe(ends(graph).length);
  });

  test('handles voicemail, a wrong person and a person without time on outbound calls, which a trigger can start', () => {
    const outgoing = design.callType === 'outbound';
    expect(
      ['voicemail', 'wrong_person', 'call_back_later'].every((id) =>
        targetsOf(graph, 'opening').includes(id),
      ),
    ).toBe(outgoing);
    expect(nodesOf(graph).some((node) => kindOf(node) === 'trigger')).toBe(outgoing);
  });

  test('has a default for every placeholder, and a test value for each of them', () => {
    const used = placeholders(textsOf(graph));
    expect(used.filter(({ hasDefault }) => !hasDefault)).toEqual([]);
    expect([...new Set([...used.map(({ name }) => name), ...design.passOn])].toSorted()).toEqual(
      Object.keys(testValues).toSorted(),
    );
  });

  test('sends nothing before the webhook has an address, and then all variables', () => {
    expect(sendableWebhooks(graph)).toEqual([]);
    const [webhook, ...more] = webhookNodes(graph);
    expect([webhook?.enabled, webhook?.url, more]).toEqual([true, null, []]);
    const learned = [...talking(graph), ...ends(graph)]
      .flatMap(variablesOf)
      .map(({ name }) => name)
      .filter((name) => name !== 'call_disposition');
    expect(Object.keys(ownObject(webhook?.payloadTemplate ?? {}, 'answers')).toSorted()).toEqual(
      [...new Set(learned)].map(String).toSorted(),
    );
    expect(Object.keys(ownObject(webhook?.payloadTemplate ?? {}, 'person'))).toEqual([
      'phone_number',
      ...design.passOn,
    ]);
  });

  test('is written for speech, without lists and markup, and with short greetings', () => {
    for (const text of textsOf(graph)) expect(text).not.toMatch(/^\s*(?:[-*#]|\d+[.)])\s|\*\*|https?:/m);
    expect(renderTemplate(design.greeting, { variables: testValues, now: new Date() }).length).toBeLessThan(
      220,
    );
  });

  test('has one type for a variable of several steps, because a later value replaces an earlier one', () => {
    const variables = nodesOf(graph).flatMap(variablesOf);
    const typed = new Set(
      variables.map((each) => `${String(own(each, 'name'))} ${String(own(each, 'type'))}`),
    );
    expect(typed.size).toBe(new Set(variables.map((each) => own(each, 'name'))).size);
  });
});

test('the debt reminder has the invoice only in prompts after the identity check', () => {
  const { graph } = each[2]?.[1] ?? { graph: {} };
  const holding = talking(graph)
    .filter((node) => JSON.stringify(node).includes('amount_due'))
    .map(({ id }) => id);
  expect(holding).toEqual(['reminder', 'promise', 'dispute']);
  expect(JSON.stringify(nodesOf(graph).filter((node) => kindOf(node) === 'globalNode'))).not.toContain(
    'amount_due',
  );
});

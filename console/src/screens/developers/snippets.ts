import type { ApiKey } from '../../../../src/contract/api-keys.ts';

/** What a program must know to start a call of an agent. */
export interface CallTarget {
  /** Address of the installation, without `/api/v1`. */
  origin: string;
  /** Path below `/api/v1`. */
  path: string;
  agentId: number;
  phoneNumber: string;
  /** The person's key whose value `PARLANCE_API_KEY` holds. Null: there is none yet. */
  key: { name: string; prefix: string } | null;
  /** Names of the values that the agent's texts use. */
  variables: readonly string[];
}

export const languages = ['curl', 'typescript', 'python', 'cli'] as const;
export type Language = (typeof languages)[number];

/** The path that starts a call: by trigger if the agent has one, otherwise by its uuid. */
export const triggerOf = (uuid: string, triggerPaths: readonly string[]): string =>
  triggerPaths[0] === undefined
    ? `/public/agent/workflow/${uuid}`
    : `/public/agent/${encodeURIComponent(triggerPaths[0])}`;

/** The keys that may start a call, the newest first. */
export const keysForCalls = (keys: readonly ApiKey[]): readonly ApiKey[] =>
  keys.filter(
    ({ is_active: isActive, scopes }) =>
      isActive && (scopes === null || scopes.includes('admin') || scopes.includes('calls:trigger')),
  );

/** A program that starts a call, with the key in the environment. */
export const snippet = (language: Language, target: CallTarget): string => writers[language](target);

const bodyOf = ({ phoneNumber, variables }: CallTarget) => ({
  phone_number: phoneNumber,
  ...(variables.length === 0
    ? {}
    : { initial_context: Object.fromEntries(variables.map((name) => [name, '…'])) }),
});

const writers: Record<Language, (target: CallTarget) => string> = {
  curl: (target) =>
    [
      ...keyLine('#', target),
      `curl -X POST ${target.origin}/api/v1${target.path} \\`,
      '  -H "X-API-Key: $PARLANCE_API_KEY" \\',
      '  -H "Content-Type: application/json" \\',
      '  -H "Idempotency-Key: $(uuidgen)" \\',
      `  -d '${indent(JSON.stringify(bodyOf(target), null, 2), 2).replaceAll("'", String.raw`'\''`)}'`,
    ].join('\n'),
  typescript: (target) =>
    [
      ...keyLine('//', target),
      `const answer = await fetch('${target.origin}/api/v1${target.path}', {`,
      "  method: 'POST',",
      '  headers: {',
      "    'X-API-Key': process.env.PARLANCE_API_KEY!,",
      "    'Content-Type': 'application/json',",
      "    'Idempotency-Key': crypto.randomUUID(),",
      '  },',
      `  body: JSON.stringify(${indent(JSON.stringify(bodyOf(target), null, 2), 2)}),`,
      '});',
      'if (!answer.ok) throw new Error(await answer.text());',
      'const { workflow_run_id } = await answer.json();',
    ].join('\n'),
  python: (target) =>
    [
      ...keyLine('#', target),
      'import os',
      'import uuid',
      'import requests',
      '',
      'answer = requests.post(',
      `    "${target.origin}/api/v1${target.path}",`,
      '    headers={',
      '        "X-API-Key": os.environ["PARLANCE_API_KEY"],',
      '        "Idempotency-Key": str(uuid.uuid4()),',
      '    },',
      `    json=${indent(JSON.stringify(bodyOf(target), null, 4), 4)},`,
      '    timeout=30,',
      ')',
      'answer.raise_for_status()',
      'run_id = answer.json()["workflow_run_id"]',
    ].join('\n'),
  cli: ({ origin, agentId, phoneNumber, variables, key }) =>
    [
      ...(key === null ? [] : [`# The login asks for the key ${nameOf(key)}.`]),
      `parlance login --url ${origin}`,
      `parlance call ${[agentId, phoneNumber, ...variables.map((name) => `--value ${name}=…`)].join(' ')}`,
      `parlance runs tail ${agentId}`,
      'parlance webhooks listen --port 9000',
    ].join('\n'),
};

const keyLine = (comment: string, { key }: CallTarget): string[] =>
  key === null ? [] : [`${comment} PARLANCE_API_KEY is the key ${nameOf(key)}.`];

const nameOf = ({ name, prefix }: { name: string; prefix: string }): string =>
  `${prefix}… (${name.replaceAll(/\s+/g, ' ')})`;

const indent = (text: string, by: number): string => text.replaceAll('\n', `\n${' '.repeat(by)}`);

/**
 * What the description says beside the operations: an introduction, the tags in the order in which they are
 * shown, who may call.
 */

export const introduction = `A self-hosted voice-agent service: you describe an agent as a graph of nodes and edges, the service holds the conversation, extracts data from it and sends the data to your system. Every call is one durable Temporal Workflow.

On the wire an agent is a \`workflow\` and a call a \`workflow_run\`.

## Who calls

\`X-API-Key: prl_…\`, or \`Authorization: Bearer …\` with an API key or the session token of \`POST /auth/login\`. When both are sent \`X-API-Key\` counts. A key may be limited to scopes; each operation names the one that it needs under \`security\`, and \`admin\` holds all. A key sees what its organization has, and nothing else: everything of others is a 404.

## Errors

Every error is JSON with \`detail\`. It is a **text** with a stable \`code\` beside it (\`Error\`), an **array** of records for field faults (\`HTTPValidationError\`, 422), or an **object** for a graph that is refused (\`GraphError\`, 409 and 422) and for a text session that somebody else has changed (\`RevisionConflict\`, 409). Every answer carries \`X-Request-Id\`, the caller's own when it sent one; logs have it too. 429 and 503 say in \`Retry-After\` when to ask again; nothing was done.

## Repeated requests

A POST with an \`Idempotency-Key\` is carried out once: the same request with the same key gives the first answer again for 7 days, with \`Idempotent-Replayed: true\`. The same key with another request is a 422.

## Formats

Moments are ISO 8601 in UTC with microseconds and \`Z\`. A field that has no value is present and \`null\`. Answers may gain keys: ignore those that you do not know. A body is JSON of at most 1 MiB.`;

/** Every tag of the table of routes, in the order in which they are shown. */
export const tags = [
  {
    name: 'Agents',
    description:
      'What a conversation follows: a graph of nodes and edges, with settings and test values, in versions. One version may be a draft; calls use the published one.',
  },
  { name: 'Agent templates', description: 'Agents that are shipped, to copy and to change.' },
  { name: 'Folders', description: 'Where agents are filed in lists. They mean nothing to calls.' },
  {
    name: 'Node types',
    description: 'What a graph is built of: the types of node with their fields, for editors and SDKs.',
  },
  {
    name: 'Text sessions',
    description:
      'Conversations by text with an agent: the same durable call as by phone, one message at a time.',
  },
  {
    name: 'Calls',
    description: 'Every conversation that was held or is going on, with what was said, extracted and spent.',
  },
  {
    name: 'Calls by phone',
    description:
      "How a call by phone is asked for: by the path of a trigger in a graph, by an agent's uuid, or as a test.",
  },
  {
    name: 'Telephony',
    description:
      'Accounts at carriers, with their numbers: what agents call with, and who answers calls that come in.',
  },
  {
    name: 'Campaigns',
    description:
      'Calls to everybody in a file of contacts, by one agent, under rules: hours, lines, further attempts.',
  },
  {
    name: 'Suppressions',
    description:
      'Numbers that no campaign of the organization dials: because somebody asked for it, in a call or otherwise.',
  },
  {
    name: 'Dialing',
    description:
      'What all campaigns of the organization together may do, and the switch that stops them at once.',
  },
  {
    name: 'Downloads',
    description: 'Files of a call under links that need no key: the token in them is the permission.',
  },
  {
    name: 'Files',
    description:
      'Contacts and background sounds: uploaded and read by links that end, named by storage keys.',
  },
  {
    name: 'Directories',
    description:
      'Contact files: uploaded, read as their owner says, checked row by row. Campaigns call what was found good.',
  },
  {
    name: 'Tools',
    description:
      'What an agent can do during a conversation beside talking: HTTP requests, arithmetic, ending the call.',
  },
  {
    name: 'Credentials',
    description: "Secrets that requests to customers' addresses carry. They are written and never read back.",
  },
  {
    name: 'Webhooks',
    description:
      "What is sent to customers' addresses when a call has ended: secrets that sign, deliveries with every attempt, addresses that were switched off.",
  },
  { name: 'Knowledge base', description: 'Documents that agents can search.' },
  { name: 'Recordings', description: 'Audio that agents can play instead of speaking.' },
  {
    name: 'Organization',
    description:
      'What holds for everybody in the organization: preferences, outcomes, defaults, how long data is kept.',
  },
  {
    name: 'Models',
    description:
      "Which language models conversations use: those of the installation, or the organization's own with its keys.",
  },
  {
    name: 'Usage',
    description: 'What calls used and cost, by call, day and month, for the organization as a whole.',
  },
  { name: 'Users', description: 'Signing up, in and out, and who is signed in.' },
  { name: 'API keys', description: 'Keys of the organization: scopes, expiry, replacement without a gap.' },
  {
    name: 'Service',
    description: 'What the installation says about itself, to clients and to what operates it.',
  },
];

export const securitySchemes = {
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key, `prl_…`.' },
  authorization: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key, or the session token of `POST /auth/login`. `Bearer` may be left out before a session token.',
  },
} as const;

/** Texts of the OpenAPI document besides the operations: introduction, tags, security schemes. */

export const introduction = `A self-hosted voice-agent service. You describe an agent as a graph of nodes and edges. The service holds the conversation, extracts data from it and sends the data to your system. Every call is a durable Temporal Workflow.

On the wire an agent is a \`workflow\` and a call a \`workflow_run\`.

## Authentication

\`X-API-Key: prl_…\`, or \`Authorization: Bearer …\` with an API key or the session token of \`POST /auth/login\`. If both are sent, \`X-API-Key\` is used. A key may be limited to scopes, and a session has those of its user's role (\`GET /auth/me\`). Each operation names its scope under \`security\`; \`admin\` includes all scopes. Without \`people:read\`, fields with \`x-without-people-read\` are masked: \`masked\` replaces texts and numbers by \`•••\`, \`without_numbers\` only phone numbers in texts, \`empty\` removes the content. A key has access only to its own organization: objects of others are answered with 404.

## Errors

Every error is JSON with \`detail\`. It is a **text** with a stable \`code\` (\`Error\`), an **array** of records for field faults (\`HTTPValidationError\`, 422), or an **object** for a refused graph (\`GraphError\`, 409 and 422) or a text session with another revision (\`RevisionConflict\`, 409). Every response has an \`X-Request-Id\`, which is also in the logs; it is the caller's own id if the request had one. After 429 or 503 the request had no effect. Retry it after \`Retry-After\` seconds.

## Idempotent requests

A POST with an \`Idempotency-Key\` is executed once. For 7 days, the same request with the same key gets the first answer again, with \`Idempotent-Replayed: true\`. A different request with the same key is refused with 422.

## Formats

Timestamps are ISO 8601 in UTC with microseconds and \`Z\`. A field without a value is present and \`null\`. Later releases may add fields to responses: ignore unknown fields. Request bodies are JSON of at most 1 MiB.`;

/** All tags of the routes, in the order of the reference. */
export const tags = [
  {
    name: 'Agents',
    description:
      'Agents with their versions. A version has a graph of nodes and edges, settings and test values. Calls use the published version; at most one other version is a draft.',
  },
  { name: 'Agent templates', description: 'Shipped agents to copy and change.' },
  { name: 'Folders', description: 'Folders group agents in lists. They have no effect on calls.' },
  {
    name: 'Node types',
    description: 'Types of nodes and their fields, for editors and SDKs.',
  },
  {
    name: 'Text sessions',
    description:
      'Conversations by text with an agent. A text session is a durable call like a phone call, with one message at a time.',
  },
  {
    name: 'Calls',
    description: 'Live and ended conversations, with transcripts, extracted data and costs.',
  },
  {
    name: 'Calls by phone',
    description: "Starting phone calls: by the path of a trigger, by an agent's uuid, or as a test.",
  },
  {
    name: 'Telephony',
    description:
      'Connections to accounts at carriers, and their phone numbers for outgoing and incoming calls.',
  },
  {
    name: 'Campaigns',
    description:
      'Calls by an agent to the contacts of a file, with rules for hours, lines and further attempts.',
  },
  {
    name: 'Suppressions',
    description: 'Numbers that the organization never dials, for example after an opt-out in a call.',
  },
  {
    name: 'Dialing',
    description:
      'Limits for all campaigns of the organization together, and the switch that stops them at once.',
  },
  {
    name: 'Downloads',
    description: 'Files of a call. The links contain a token and need no credentials.',
  },
  {
    name: 'Files',
    description:
      'Uploads and downloads of contact files and background sounds by links that expire. Files are named by storage keys.',
  },
  {
    name: 'Directories',
    description:
      'Contact files, which are uploaded, mapped and checked row by row. Campaigns call the valid rows.',
  },
  {
    name: 'Tools',
    description:
      'Things that an agent can do during a conversation besides talking: HTTP requests, arithmetic, ending or transferring the call.',
  },
  {
    name: 'Credentials',
    description: "Secrets for requests to customers' endpoints. Their values are never returned.",
  },
  {
    name: 'Webhooks',
    description:
      "Messages to customers' endpoints after a call: secrets for signatures, deliveries with their attempts, and endpoints that were switched off.",
  },
  { name: 'Knowledge base', description: 'Documents that agents can search.' },
  { name: 'Recordings', description: 'Audio that agents can play instead of speaking.' },
  {
    name: 'Organization',
    description:
      'Settings of the organization: preferences, dispositions, defaults, retention and audit log.',
  },
  {
    name: 'Models',
    description:
      "Models that conversations use: the installation's, or the organization's own with its keys.",
  },
  {
    name: 'Usage',
    description: 'Usage and cost of the calls of the organization, by call, day and month.',
  },
  { name: 'Users', description: 'Sign-up, sign-in, sign-out, passwords, sessions, and the calling user.' },
  {
    name: 'People',
    description:
      'Members of the organization with their roles, invitations, and the organizations of the calling user. A role is a set of scopes.',
  },
  { name: 'API keys', description: 'API keys of the organization, with scopes, expiry and rotation.' },
  {
    name: 'Service',
    description: 'Information about the installation, for clients and operators.',
  },
];

export const securitySchemes = {
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key, `prl_…`.' },
  authorization: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key, or the session token of `POST /auth/login`. `Bearer` is optional before a session token.',
  },
  downloadTicket: {
    type: 'apiKey',
    in: 'query',
    name: 'ticket',
    description: 'The ticket in a link of `POST /download-tickets`, which works once.',
  },
} as const;

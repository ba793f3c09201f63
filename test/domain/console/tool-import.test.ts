import { describe, expect, test } from '@jest/globals';
import { type ImportedTool, readImport } from '../../../console/src/screens/tools/imported.ts';

/** A tool in one line: request, headers, arguments; `name!` is required. */
const lineOf = ({ definition: { config } }: ImportedTool): string =>
  [
    `${config.method} ${config.url}`,
    ...Object.entries(config.headers).map(([name, value]) => `${name}: ${value}`),
    config.parameters
      .map(({ name, type, required, description }) =>
        `${name}${required ? '!' : ''} ${type} ${description}`.trim(),
      )
      .join(', '),
  ]
    .filter(Boolean)
    .join(' | ');

describe('a curl command becomes a tool', () => {
  test.each([
    ['curl https://api.example.com/slots', 'GET https://api.example.com/slots'],
    ['$ curl -sSL api.example.com/slots | jq .', 'GET https://api.example.com/slots'],
    [
      `curl "https://api.example.com/slots?day=Thursday&doctor=7"`,
      'GET https://api.example.com/slots | day! string For example Thursday, doctor! string For example 7',
    ],
    [
      `curl -X POST https://api.example.com/slots \\\n  -H 'Content-Type: application/json' \\\n  -H "X-Practice: 4" \\\n  -d '{"day":"Thursday","people":2,"urgent":false,"tags":["a"],"who":{"id":1}}'`,
      'POST https://api.example.com/slots | X-Practice: 4 | day! string For example Thursday, people! number For example 2, urgent! boolean For example false, tags! array, who! object',
    ],
    [
      `curl -XPUT --data-raw=$'{"note":"it\\'s\\\\ttabbed"}' https://api.example.com/notes`,
      "PUT https://api.example.com/notes | note! string For example it's\ttabbed",
    ],
    [
      'curl --url https://api.example.com/form -d day=Thursday --data-urlencode "note=a b"',
      'POST https://api.example.com/form | day! string For example Thursday, note! string For example a b',
    ],
    [
      'curl -G https://api.example.com/slots -d day=Friday',
      'GET https://api.example.com/slots | day! string For example Friday',
    ],
    [
      'curl "https://api.example.com/slots?api_key=s3cret"',
      'GET https://api.example.com/slots | api_key! string',
    ],
    [
      'curl -X POST "https://api.example.com/{{practice}}/slots?v=2" --json "{\\"day\\": \\"Friday\\"}"',
      'POST https://api.example.com/{{practice}}/slots?v=2 | day! string For example Friday',
    ],
    ['curl --request HEAD https://api.example.com/slots', 'GET https://api.example.com/slots'],
  ])('%s', async (command, expected) => expect((await readImport(command)).map(lineOf)).toEqual([expected]));

  test('without its secrets, which are named', async () => {
    const [tool] = await readImport(
      `curl https://ana:pw@api.example.com/x -H 'X-Api-Key: k1' -b 'session=1' -H 'Accept: */*'`,
    );
    expect(tool?.secrets).toEqual(['X-Api-Key', 'Authorization', 'Cookie']);
    expect(JSON.stringify(tool)).not.toMatch(/k1|pw|session/);
  });

  test.each([
    ['', 'empty'],
    ['curl -X POST', 'no_address'],
    ['curl https://', 'no_address'],
    ['curl -F file=@a.pdf https://api.example.com', 'file'],
    ['wget https://api.example.com', 'unreadable'],
    ['{"openapi": ', 'unreadable'],
    ['{"openapi": "3.1.0", "paths": {}}', 'no_operations'],
  ])(
    'refuses %p as %s',
    async (words, fault) => await expect(readImport(words)).rejects.toMatchObject({ fault }),
  );
});

const practice = `
openapi: 3.1.0
info: { title: Practice, version: '1' }
servers:
  - url: https://{region}.example.com/v1/
    variables: { region: { default: eu } }
security: [{ key: [] }]
paths:
  /slots:
    parameters:
      - $ref: '#/components/parameters/Day'
    get:
      operationId: findSlots
      description: Free slots of a day.
      parameters:
        - { name: limit, in: query, schema: { type: integer } }
        - { name: X-Practice, in: header, required: true, schema: { type: string } }
  /patients/{patientId}/bookings:
    post:
      summary: Book a slot
      parameters:
        - { name: notify, in: query, required: true, schema: { type: boolean } }
      security: [{ login: [] }]
      requestBody:
        content:
          application/json:
            schema: { $ref: '#/components/schemas/Booking' }
components:
  parameters:
    Day: { name: day, in: query, required: true, description: The wanted day., schema: { type: string } }
  schemas:
    Timed: { type: object, required: [time], properties: { time: { type: string } } }
    Booking:
      allOf:
        - $ref: '#/components/schemas/Timed'
        - properties:
            kind: { type: [string, 'null'], enum: [check, cleaning, null] }
            parent: { $ref: '#/components/schemas/Booking' }
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
    login: { type: http, scheme: bearer }
`;

describe('an OpenAPI document becomes a tool for each operation', () => {
  test('of version 3, as YAML, with references, servers and what is secret or a value of the call', async () => {
    const tools = await readImport(practice);
    expect(tools.map((tool) => [tool.name, tool.description, lineOf(tool)])).toEqual([
      [
        'findSlots',
        'Free slots of a day.',
        'GET https://eu.example.com/v1/slots | X-Practice: {{X-Practice}} | day! string The wanted day., limit number',
      ],
      [
        'Book a slot',
        'Book a slot',
        'POST https://eu.example.com/v1/patients/{{patientId}}/bookings?notify={{notify}} | time! string, kind string One of: check, cleaning, parent string',
      ],
    ]);
    expect(tools.map(({ secrets }) => secrets)).toEqual([['X-Key'], ['Authorization']]);
    expect(tools.map(({ fromCall }) => fromCall)).toEqual([[], ['patientId', 'notify']]);
  });

  test('of Swagger 2, as JSON', async () => {
    const document = {
      swagger: '2.0',
      host: 'api.example.com',
      basePath: '/v2',
      paths: {
        '/orders': {
          post: {
            parameters: [
              {
                in: 'body',
                name: 'order',
                schema: { required: ['id'], properties: { id: { type: 'integer' } } },
              },
            ],
          },
        },
      },
    };
    expect((await readImport(JSON.stringify(document))).map(lineOf)).toEqual([
      'POST https://api.example.com/v2/orders | id! number',
    ]);
  });

  test('of any shape without a failure, also when references go round or lead nowhere', async () => {
    const document = {
      openapi: '3.0.0',
      paths: {
        '/a': { $ref: '#/paths/~1a' },
        '/b': { get: { parameters: [null, 7, { $ref: '#/no/where' }, { in: 'query' }] } },
        '/c': { post: { requestBody: { content: { 'text/plain': { schema: { type: 'string' } } } } } },
        '/d': null,
      },
    };
    expect((await readImport(JSON.stringify(document))).map(lineOf)).toEqual([
      'GET https://api.example.com/b',
      'POST https://api.example.com/c',
    ]);
  });
});

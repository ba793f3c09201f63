import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  at,
  completeGraph,
  createTenant,
  idAt,
  startApi,
  type ApiUnderTest,
} from '../../support/api-on-services.ts';
import { createTestDatabase, databases, type TestDatabase } from '../../support/database.ts';

/** The records and their limits, field by field. */
describe.each(databases)('records on %s', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let key: string;
  let agent: unknown;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    api = await startApi(database.db);
    ({ key } = await createTenant(database.db));
    agent = (
      await api.ask(key, 'POST', '/workflow/create/definition', {
        name: 'Agent',
        workflow_definition: completeGraph(),
      })
    ).body;
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const put = (change: unknown) => api.ask(key, 'PUT', `/workflow/${idAt(agent, 'id')}`, change);
  const putSettings = (settings: unknown) => put({ workflow_configurations: settings });
  const stored = async (settings: unknown) =>
    at((await putSettings(settings)).body, 'workflow_configurations');
  const faults = async (settings: unknown) => {
    const { status, body } = await putSettings(settings);
    const records = at(body, 'detail');
    return [
      status,
      Array.isArray(records) ? records.map((each) => [at(each, 'type'), at(each, 'loc')]) : records,
    ];
  };
  const settingFault = (type: string, ...path: (string | number)[]) => [
    422,
    [[type, ['body', 'workflow_configurations', ...path]]],
  ];

  describe('workflow record (contract 1.1)', () => {
    const isInteger = (value: unknown) => Number.isInteger(value);
    const isText = (value: unknown) => typeof value === 'string';
    const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
    const isDateTime = (value: unknown) =>
      typeof value === 'string' && !Number.isNaN(Date.parse(value)) && /T.*(Z|[+-]\d\d:\d\d)$/.test(value);
    test.each<[string, string, (value: unknown) => boolean]>([
      ['id', 'integer', isInteger],
      ['name', 'string', isText],
      ['status', 'string', isText],
      ['created_at', 'string, date-time', isDateTime],
      ['workflow_definition', 'object', isObject],
      ['current_definition_id', 'integer or null', isInteger],
      ['template_context_variables', 'object or null', isObject],
      ['call_disposition_codes', 'CallDispositionCodes or null', isObject],
      ['total_runs', 'integer or null', isInteger],
      ['workflow_configurations', 'object or null', isObject],
      ['version_number', 'integer or null', isInteger],
      ['version_status', 'string or null', isText],
      ['workflow_uuid', 'string or null', isText],
    ])('%s is %s, in the answers of create, update and fetch', async (field, _type, fits) => {
      const updated = (await put({ name: 'Agent' })).body;
      const fetched = (await api.ask(key, 'GET', `/workflow/fetch/${idAt(agent, 'id')}`)).body;
      expect([agent, updated, fetched].map((record) => fits(at(record, field)))).toEqual([true, true, true]);
    });

    test('CallDispositionCodes: one field, disposition_codes, an array of strings, empty by default', () => {
      expect(at(agent, 'call_disposition_codes')).toEqual({ disposition_codes: [] });
    });

    test('workflow_definition is free-form: additional content is returned', async () => {
      const definition = {
        ...completeGraph(),
        viewport: { x: 1.5, y: -2, zoom: 0.75 },
        notes: ['any', { thing: null }],
      };
      expect(at((await put({ workflow_definition: definition })).body, 'workflow_definition')).toMatchObject({
        viewport: definition.viewport,
        notes: definition.notes,
      });
    });

    test('template_context_variables is free-form', async () => {
      const values = { name: 'Ada', nested: { list: [1, 'two', null] }, 'with space': true };
      expect(
        at((await put({ template_context_variables: values })).body, 'template_context_variables'),
      ).toEqual(values);
    });
  });

  describe('workflow_configurations (contract 3.1)', () => {
    test('additional properties are accepted and kept', async () => {
      expect(await stored({ something_of_ours: { deep: [1] } })).toEqual({
        something_of_ours: { deep: [1] },
      });
    });

    test.each([
      ['ambient_noise_configuration', { enabled: true, volume: 0.5, own: 'kept' }],
      ['max_call_duration', 1200],
      ['max_call_duration', 1],
      ['max_user_idle_timeout', 7.5],
      ['smart_turn_stop_secs', 0.25],
      ['turn_start_strategy', 'default'],
      ['turn_start_strategy', 'min_words'],
      ['turn_start_strategy', 'provisional_vad'],
      ['turn_start_min_words', 5],
      ['provisional_vad_pause_secs', 0.5],
      ['turn_stop_strategy', 'transcription'],
      ['turn_stop_strategy', 'turn_analyzer'],
      ['dictionary', 'Chen, Bright Smile'],
      ['dictionary', ''],
      ['context_compaction_enabled', true],
      ['external_pbx_field_mappings', [{ context_path: 'order.id', destination_field: 'order_id' }]],
    ])('%s accepts %j', async (field, value) => {
      expect(await stored({ [field]: value })).toEqual({ [field]: value });
    });

    test.each<[string, unknown, string]>([
      ['ambient_noise_configuration', 'loud', 'dict_type'],
      ['max_call_duration', 1.5, 'int_from_float'],
      ['max_user_idle_timeout', 'soon', 'float_parsing'],
      ['smart_turn_stop_secs', [], 'float_type'],
      ['turn_start_strategy', 'guess', 'literal_error'],
      ['turn_start_min_words', 'many', 'int_parsing'],
      ['provisional_vad_pause_secs', {}, 'float_type'],
      ['turn_stop_strategy', 'guess', 'literal_error'],
      ['dictionary', 5, 'string_type'],
      ['context_compaction_enabled', 'perhaps', 'bool_parsing'],
      ['external_pbx_field_mappings', {}, 'list_type'],
    ])('%s refuses %j as %s', async (field, value, type) => {
      const [status, records] = await faults({ [field]: value });
      expect([status, records]).toEqual([
        422,
        [
          [
            expect.stringMatching(
              field === 'ambient_noise_configuration' ? /dict_type|model_attributes_type|model_type/ : type,
            ),
            ['body', 'workflow_configurations', field],
          ],
        ],
      ]);
    });

    test('ambient_noise_configuration: enabled is a boolean, volume a number', async () => {
      expect(await faults({ ambient_noise_configuration: { enabled: 'perhaps', volume: 'loud' } })).toEqual([
        422,
        [
          ['bool_parsing', ['body', 'workflow_configurations', 'ambient_noise_configuration', 'enabled']],
          ['float_parsing', ['body', 'workflow_configurations', 'ambient_noise_configuration', 'volume']],
        ],
      ]);
    });

    test('the endpoint of defaults returns the defaults of the table', async () => {
      const { body } = await api.ask(key, 'GET', '/user/configurations/defaults');
      expect(at(body, 'workflow_configurations')).toMatchObject({
        ambient_noise_configuration: { enabled: false, volume: 0.3 },
        max_call_duration: 300,
        max_user_idle_timeout: 10,
        smart_turn_stop_secs: 2,
        turn_start_strategy: 'default',
        turn_start_min_words: 3,
        provisional_vad_pause_secs: 1.5,
        turn_stop_strategy: 'transcription',
        dictionary: '',
        context_compaction_enabled: false,
      });
    });
  });

  describe('limits (contract 3.1)', () => {
    const mapping = (change: object = {}) => ({
      context_path: 'order',
      destination_field: 'order',
      ...change,
    });
    const inMapping = (type: string, field: string) =>
      settingFault(type, 'external_pbx_field_mappings', 0, field);

    test('max_call_duration: greater than 0, at most 1200', async () => {
      expect(await faults({ max_call_duration: 0 })).toEqual(
        settingFault('greater_than', 'max_call_duration'),
      );
      expect(await faults({ max_call_duration: 1201 })).toEqual(
        settingFault('less_than_equal', 'max_call_duration'),
      );
    });

    test('external_pbx_field_mappings: at most 100 items', async () => {
      const mappings = Array.from({ length: 101 }, () => mapping());
      expect(await stored({ external_pbx_field_mappings: mappings.slice(1) })).toEqual({
        external_pbx_field_mappings: mappings.slice(1),
      });
      expect(await faults({ external_pbx_field_mappings: mappings })).toEqual(
        settingFault('too_long', 'external_pbx_field_mappings'),
      );
    });

    test('context_path: 1 to 255 characters, required', async () => {
      const longest = { external_pbx_field_mappings: [mapping({ context_path: 'x'.repeat(255) })] };
      expect(await stored(longest)).toEqual(longest);
      expect(await faults({ external_pbx_field_mappings: [mapping({ context_path: '' })] })).toEqual(
        inMapping('string_too_short', 'context_path'),
      );
      expect(
        await faults({ external_pbx_field_mappings: [mapping({ context_path: 'x'.repeat(256) })] }),
      ).toEqual(inMapping('string_too_long', 'context_path'));
      expect(await faults({ external_pbx_field_mappings: [{ destination_field: 'x' }] })).toEqual(
        inMapping('missing', 'context_path'),
      );
    });

    test('destination_field: a letter, then at most 63 letters, digits and underscores, required', async () => {
      const longest = {
        external_pbx_field_mappings: [mapping({ destination_field: `x${'_'.repeat(63)}` })],
      };
      expect(await stored(longest)).toEqual(longest);
      for (const wrong of ['', '1st', 'with space', `x${'_'.repeat(64)}`, 'línea'])
        expect(
          await faults({ external_pbx_field_mappings: [mapping({ destination_field: wrong })] }),
        ).toEqual(inMapping('string_pattern_mismatch', 'destination_field'));
      expect(await faults({ external_pbx_field_mappings: [{ context_path: 'x' }] })).toEqual(
        inMapping('missing', 'destination_field'),
      );
    });
  });

  describe('validation error record (contract 0.4)', () => {
    test('loc, msg and type are always present, input and ctx where they apply; detail is the only field of the answer', async () => {
      const { status, body } = await put({ name: 5, workflow_configurations: { max_call_duration: 0 } });
      expect([status, at(body, 'detail')]).toEqual([
        422,
        [
          { loc: ['body', 'name'], msg: 'Input should be a valid string', type: 'string_type', input: 5 },
          {
            loc: ['body', 'workflow_configurations', 'max_call_duration'],
            msg: 'Input should be greater than 0',
            type: 'greater_than',
            input: 0,
            ctx: { gt: 0 },
          },
        ],
      ]);
    });

    test('loc has integers for positions in arrays', async () => {
      expect(
        await faults({ external_pbx_field_mappings: [{ context_path: 'x', destination_field: 'x' }, {}] }),
      ).toEqual([
        422,
        ['context_path', 'destination_field'].map((field) => [
          'missing',
          ['body', 'workflow_configurations', 'external_pbx_field_mappings', 1, field],
        ]),
      ]);
    });
  });
});

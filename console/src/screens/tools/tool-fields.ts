import { t } from '../../app/words.ts';
import { type Field, type Values, wordsOf } from '../../parts/form-values.ts';
import { toolTypes } from './tool-values.ts';

const isType =
  (...types: readonly string[]) =>
  (values: Values): boolean =>
    types.includes(wordsOf(values, 'type'));
const fromSource = (source: string) => (values: Values) =>
  isType('transfer_call')(values) && wordsOf(values, 'destination_source') === source;
const saysSomething = (values: Values): boolean =>
  isType('http_api')(values) ||
  (isType('end_call', 'transfer_call')(values) && wordsOf(values, 'messageType') === 'custom');

const choices = (ids: readonly string[], words: string) =>
  ids.map((value) => ({ value, label: t(`${words}.${value}`) }));
const plain = (ids: readonly string[]) => ids.map((value) => ({ value, label: value }));
const valueTypes = ['string', 'number', 'boolean', 'object', 'array'];

/** The fields of a tool. `credentials` are those of the organization. */
export const toolFields = (
  isNew: boolean,
  credentials: readonly { uuid: string; name: string }[],
): readonly Field[] => [
  ...(isNew
    ? [
        {
          name: 'type',
          label: t('tools.type'),
          kind: 'select' as const,
          options: toolTypes.map((value) => ({
            value,
            label: t(`tools.type.${value}`),
            description: t(`tools.typeHint.${value}`),
          })),
        },
      ]
    : []),
  {
    name: 'name',
    label: t('tools.name'),
    kind: 'text',
    isRequired: true,
    hint: t('tools.nameHint'),
    placeholder: t('tools.namePlaceholder'),
  },
  {
    name: 'description',
    label: t('tools.description'),
    kind: 'area',
    hint: t('tools.descriptionHint'),
  },
  {
    name: 'method',
    label: t('tools.method'),
    kind: 'select',
    options: plain(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    isHalf: true,
    when: isType('http_api'),
  },
  {
    name: 'timeout_ms',
    label: t('tools.timeout'),
    kind: 'number',
    unit: 'ms',
    min: 1,
    max: 15_000,
    isHalf: true,
    when: isType('http_api'),
  },
  {
    name: 'url',
    label: t('tools.url'),
    kind: 'url',
    isCode: true,
    isRequired: true,
    placeholder: 'https://api.example.com/slots',
    hint: t('tools.urlHint'),
    when: isType('http_api'),
  },
  {
    name: 'credential_uuid',
    label: t('tools.credential'),
    kind: 'select',
    options: [
      { value: 'none', label: t('tools.noCredential') },
      ...credentials.map(({ uuid, name }) => ({ value: uuid, label: name })),
    ],
    when: isType('http_api'),
  },
  {
    name: 'headers',
    label: t('tools.headers'),
    kind: 'rows',
    cells: [
      { name: 'name', label: t('tools.header'), kind: 'text', isCode: true },
      { name: 'value', label: t('tools.value'), kind: 'text', isCode: true },
    ],
    when: isType('http_api'),
  },
  {
    name: 'destination_source',
    label: t('tools.source'),
    kind: 'select',
    options: choices(['static', 'dynamic', 'context_mapping'], 'tools.source'),
    isHalf: true,
    when: isType('transfer_call'),
  },
  {
    name: 'timeout',
    label: t('tools.ring'),
    kind: 'number',
    unit: 's',
    min: 5,
    max: 120,
    isHalf: true,
    when: isType('transfer_call'),
  },
  {
    name: 'destination',
    label: t('tools.destination'),
    kind: 'text',
    isCode: true,
    placeholder: '+12025550143',
    hint: t('tools.destinationHint'),
    when: isType('transfer_call'),
  },
  {
    name: 'resolver',
    label: t('tools.resolver'),
    kind: 'json',
    hint: t('tools.resolverHint'),
    placeholder: '{ "url": "https://api.example.com/who-answers" }',
    when: fromSource('dynamic'),
  },
  {
    name: 'context_mapping',
    label: t('tools.mapping'),
    kind: 'json',
    hint: t('tools.mappingHint'),
    when: fromSource('context_mapping'),
  },
  {
    name: 'allowed_destinations',
    label: t('tools.allowed'),
    kind: 'lines',
    isCode: true,
    placeholder: '+12025550143',
    hint: t('tools.allowedHint'),
    when: isType('transfer_call'),
  },
  {
    name: 'parameters',
    label: t('tools.parameters'),
    kind: 'rows',
    hint: t('tools.parametersHint'),
    cells: [
      { name: 'name', label: t('tools.parameter'), kind: 'text', isCode: true },
      { name: 'type', label: t('tools.valueType'), kind: 'select', options: plain(valueTypes) },
      { name: 'description', label: t('tools.meaning'), kind: 'text' },
      { name: 'required', label: t('tools.required'), kind: 'switch' },
    ],
    when: (values) => isType('http_api')(values) || fromSource('dynamic')(values),
  },
  {
    name: 'preset_parameters',
    label: t('tools.presets'),
    kind: 'rows',
    hint: t('tools.presetsHint'),
    cells: [
      { name: 'name', label: t('tools.parameter'), kind: 'text', isCode: true },
      { name: 'type', label: t('tools.valueType'), kind: 'select', options: plain(valueTypes) },
      { name: 'value_template', label: t('tools.value'), kind: 'text', isCode: true },
      { name: 'required', label: t('tools.required'), kind: 'switch' },
    ],
    when: isType('http_api'),
  },
  {
    name: 'body_template',
    label: t('tools.body'),
    kind: 'json',
    hint: t('tools.bodyHint'),
    when: (values) => isType('http_api')(values) && !['GET', 'DELETE'].includes(wordsOf(values, 'method')),
  },
  {
    name: 'messageType',
    label: t('tools.before'),
    kind: 'select',
    options: choices(['none', 'custom'], 'tools.before'),
    when: isType('end_call', 'transfer_call'),
  },
  {
    name: 'customMessage',
    label: t('tools.message'),
    kind: 'text',
    placeholder: t('tools.messagePlaceholder'),
    when: saysSomething,
  },
  {
    name: 'endCallReason',
    label: t('tools.reason'),
    kind: 'switch',
    hint: t('tools.reasonHint'),
    when: isType('end_call'),
  },
  {
    name: 'endCallReasonDescription',
    label: t('tools.reasonMeaning'),
    kind: 'text',
    when: (values) => isType('end_call')(values) && values['endCallReason'] === true,
  },
  {
    name: 'action',
    label: t('tools.action'),
    kind: 'select',
    options: choices(['do_not_call', 'wrong_number'], 'tools.action'),
    when: isType('native'),
  },
];

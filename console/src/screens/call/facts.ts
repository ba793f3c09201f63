/** Facts of a call for lists and heads, read from its record (contract 6.1, 6.4, 6.5). */

type Json = Readonly<Record<string, unknown>>;

/** What these facts are read from: a call of a list, or one with its log. */
interface CallFields {
  mode: string;
  call_type: 'inbound' | 'outbound';
  initial_context: Json | null;
  gathered_context: Json | null;
  caller_number: string | null;
  called_number: string | null;
  phone_number: string | null;
  disposition: string | null;
}

const textIn = (values: Json | null, ...names: string[]): string | null => {
  for (const name of names) {
    const value = values?.[name];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
  }
  return null;
};

/** The name of the person, if the values of the call hold one. */
export function personOf({ initial_context: values }: Pick<CallFields, 'initial_context'>): string | null {
  const whole = textIn(values, 'name', 'full_name', 'customer_name', 'contact_name', 'patient_name');
  if (whole !== null) return whole;
  const parts = [textIn(values, 'first_name'), textIn(values, 'last_name')].filter((each) => each !== null);
  return parts.length === 0 ? null : parts.join(' ');
}

/** The person's number: the called one, or the caller's of an incoming call. */
export function numberOf(call: Omit<CallFields, 'mode' | 'disposition' | 'gathered_context'>): string | null {
  const number = call.call_type === 'inbound' ? call.caller_number : call.called_number;
  const text = number ?? call.phone_number ?? textIn(call.initial_context, 'phone_number');
  if (text === null) return null;
  return /^\d{7,15}$/.test(text) ? `+${text}` : text;
}

/** The campaign of a call, and which of its rows it called (contract 11.6). */
export function campaignRowOf({
  initial_context: values,
}: Pick<CallFields, 'initial_context'>): { campaignId: number; row: number | null } | null {
  const id = values?.['campaign_id'];
  if (typeof id !== 'number') return null;
  const row = /_row_(\d+)/.exec(textIn(values, 'source_uuid') ?? '')?.[1];
  return { campaignId: id, row: row === undefined ? null : Number(row) };
}

/** What a call cost, in US dollars. */
export const costText = (usd: number): string => `$${usd.toFixed(3)}`;

/** When all of a call was erased; null while words, values or a recording are left. */
export function erasedAt(call: {
  transcript_erased_at: string | null;
  variables_erased_at: string | null;
  recording_url: string | null;
}): string | null {
  const { transcript_erased_at: words, variables_erased_at: values, recording_url: sound } = call;
  if (words === null || values === null || sound !== null) return null;
  return words > values ? words : values;
}

export type Channel = 'phone' | 'web' | 'text';

export function channelOf(mode: string): Channel {
  if (mode === 'textchat') return 'text';
  return ['web', 'webrtc', 'smallwebrtc'].includes(mode) ? 'web' : 'phone';
}

export type Flag = 'failed' | 'notConnected' | 'transferred' | 'optedOut' | 'retry';

const failures: ReadonlySet<string> = new Set([
  'error',
  'failed',
  'pipeline_error',
  'unexpected_error',
  'system_connect_error',
  'system_cancelled',
]);
const transfers: ReadonlySet<string> = new Set(['transfer_call', 'call_transferred']);

/** Whether a disposition says that the service or the carrier failed. */
export const isFailure = (disposition: string): boolean => failures.has(disposition);

export const tagsOf = ({ gathered_context: values }: Pick<CallFields, 'gathered_context'>): string[] => {
  const tags = values?.['call_tags'];
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [];
};

/** What a list shows as small signs. */
export function flagsOf(call: Pick<CallFields, 'disposition' | 'gathered_context'>): Flag[] {
  const tags = tagsOf(call);
  const outcome = call.disposition ?? '';
  const optedOut = ['do_not_call', 'wrong_number'].some((name) => call.gathered_context?.[name] === true);
  return [
    ...(failures.has(outcome) ? ['failed' as const] : []),
    ...(tags.includes('not_connected') ? ['notConnected' as const] : []),
    ...(transfers.has(outcome) ? ['transferred' as const] : []),
    ...(optedOut ? ['optedOut' as const] : []),
    ...(tags.includes('retry') ? ['retry' as const] : []),
  ];
}

/** The color of an outcome: it went well, somebody may act on it, or it is neither. */
export function outcomeMeaning(disposition: string): 'ok' | 'bad' | 'machine' | 'agent' {
  if (failures.has(disposition)) return 'bad';
  if (disposition === 'user_qualified' || transfers.has(disposition)) return 'ok';
  return /^(voicemail_detected|no-answer|busy|canceled|user_idle_max_duration_exceeded|call_duration_exceeded|unknown|user_hangup|end_call_tool|user_disqualified)$/.test(
    disposition,
  )
    ? 'machine'
    : 'agent';
}

/** Extracted values with plain texts. */
export function valuesOf({
  gathered_context: values,
}: Pick<CallFields, 'gathered_context'>): [string, string][] {
  const extracted = values?.['extracted_variables'];
  if (typeof extracted !== 'object' || extracted === null || Array.isArray(extracted)) return [];
  return Object.entries(extracted).map(([name, value]) => [name, shown(value)]);
}

/** A value as a person reads it. */
export function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** The nodes that the call passed, by name. */
export const nodesOf = ({ gathered_context: values }: Pick<CallFields, 'gathered_context'>): string[] => {
  const nodes = values?.['nodes_visited'];
  return Array.isArray(nodes) ? nodes.filter((node) => typeof node === 'string') : [];
};

export interface Judgment {
  /** Key of the annotation: `qa_` and the id of the node. */
  key: string;
  /** 1 to 10. */
  score: number | null;
  tags: string[];
  model: string | null;
  isSimulated: boolean;
  /** Why there is no judgment. */
  reason: string | null;
  isFault: boolean;
  nodes: { id: string; name: string; score: number | null; sentiment: string | null; summary: string }[];
}

/** The judgments of the QA nodes (contract 6.1, `annotations`). */
export function judgmentsIn(annotations: Json | null, path: readonly string[] = []): Judgment[] {
  /** Nodes stand in the order in which the call came to them. */
  const placeOf = ({ id, name }: { id: string; name: string }): number => {
    const at = path.findIndex((each) => each === id || each === name);
    return at === -1 ? path.length : at;
  };
  return Object.entries(annotations ?? {}).flatMap(([key, given]) => {
    if (!key.startsWith('qa_') || typeof given !== 'object' || given === null) return [];
    const judged = given as Json;
    const results = judged['node_results'];
    const nodes = Object.entries(typeof results === 'object' && results !== null ? (results as Json) : {});
    const text = (value: unknown) => (typeof value === 'string' ? value : null);
    const number = (value: unknown) => (typeof value === 'number' ? value : null);
    return [
      {
        key,
        score: number(judged['score']),
        tags: Array.isArray(judged['tags']) ? judged['tags'].filter((tag) => typeof tag === 'string') : [],
        model: text(judged['model']),
        isSimulated: judged['simulated'] === true,
        reason: text(judged['error']) ?? text(judged['reason']),
        isFault: 'error' in judged,
        nodes: nodes
          .map(([id, node]) => {
            const result = (typeof node === 'object' && node !== null ? node : {}) as Json;
            return {
              id,
              name: text(result['node_name']) ?? id,
              score: number(result['score']),
              sentiment: text(result['overall_sentiment']),
              summary: text(result['summary']) ?? '',
            };
          })
          .toSorted((one, other) => placeOf(one) - placeOf(other)),
      },
    ];
  });
}

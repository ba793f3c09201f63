import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { PersonaInput } from '../../../emulators/carrier/persona.ts';
import { node } from '../definitions.ts';
import type { PhoneService } from '../phone-service.ts';
import { eventually } from '../process.ts';
import type { RowEnd, Attempt } from './campaign-judge.ts';
import { pause } from './caller.ts';

const Made = z.looseObject({ id: z.int() });
const Progress = z.looseObject({
  state: z.string(),
  outcomes: z.record(z.string(), z.int()),
  rows: z.object({
    queued: z.int(),
    waiting: z.int(),
    processing: z.int(),
    processed: z.int(),
    failed: z.int(),
    left_out: z.int(),
  }),
});
const moment = z
  .string()
  .nullable()
  .transform((at) => (at === null ? 0 : Date.parse(at)));
const Row = z.object({
  row: z.int(),
  state: z.string(),
  outcome: z.string().nullable(),
  attempts: z.int(),
  settled_at: moment,
});
const Rows = z.looseObject({ rows: z.array(Row), next_after: z.int().nullable() });
const History = z.looseObject({
  history: z.array(z.object({ outcome: z.string().nullable(), begun_at: moment, settled_at: moment })),
});
const Upload = z.object({ upload_url: z.string(), file_key: z.string() });

/** How long a client goes on asking an API that keeps dying. */
const patienceMs = 120_000;

/**
 * Who runs the campaign, over the API alone: what is lost is sent again under the same key, as the interface
 * asks of a client.
 */
export class CampaignDesk {
  readonly #service: PhoneService;
  #agentId = 0;
  #campaignId = 0;

  constructor(service: PhoneService) {
    this.#service = service;
  }

  /** The connection with its numbers, an agent without audio, and no pace. */
  async prepare({ numbers }: { numbers: number }): Promise<void> {
    const { carrier } = this.#service;
    const { configurationId } = await this.#service.connect();
    for (let nth = 1; nth < numbers; nth += 1)
      await this.#ask('POST', `/organizations/telephony-configs/${configurationId}/phone-numbers`, {
        address: `+1212555${1000 + nth}`,
      });
    await this.#ask('PUT', '/organizations/dial-policy', { starts_per_second: 100 });
    await carrier.control('/emulator/limits', {
      account: 10_000,
      profile: 10_000,
      connection: 10_000,
      dialsPer5s: 10_000,
    });
    const definition = {
      nodes: [
        node('start', 'startCall', { name: 'Start', prompt: 'You are at the start.', greeting: 'Hello.' }),
        node('bye', 'endCall', { name: 'Bye', prompt: 'Say goodbye.' }),
      ],
      edges: [{ id: 'e1', source: 'start', target: 'bye', data: { label: 'done', condition: 'it is done' } }],
    };
    this.#agentId = Made.parse(
      await this.#ask('POST', '/workflow/create/definition', {
        name: 'Caller',
        workflow_definition: definition,
      }),
    ).id;
  }

  /** The API answers, however often it is started again. */
  async ready(): Promise<void> {
    await eventually(
      'the API is ready',
      async () => ((await fetch(`${this.#service.apiUrl}/readyz`)).ok ? true : undefined),
      { limitMs: 60_000, detail: () => this.#service.logs() },
    );
  }

  async suppress(written: readonly string[]): Promise<void> {
    for (let from = 0; from < written.length; from += 1000)
      await this.#ask('POST', '/suppressions', { phone_numbers: written.slice(from, from + 1000) });
  }

  async seatPersons(persons: readonly { number: string; personas: PersonaInput[] }[]): Promise<void> {
    const waiting = [...persons];
    const one = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        await this.#service.carrier.setPersonas(next.number, next.personas);
    };
    await Promise.all(Array.from({ length: 8 }, one));
  }

  /** Uploads the file, makes the campaign over it, and answers its id. */
  async create(file: string, settings: object): Promise<number> {
    const { upload_url: url, file_key: key } = Upload.parse(
      await this.#ask('POST', '/s3/presigned-upload-url', {
        file_name: 'contacts.csv',
        file_size: Buffer.byteLength(file),
        content_type: 'text/csv',
      }),
    );
    await eventually(
      'the upload',
      async () =>
        (await fetch(url, { method: 'PUT', headers: { 'content-type': 'text/csv' }, body: file })).ok
          ? true
          : undefined,
      { limitMs: patienceMs },
    );
    this.#campaignId = Made.parse(
      await this.#ask('POST', '/campaign/create', {
        name: 'Simulated',
        workflow_id: this.#agentId,
        source_type: 'csv',
        source_id: key,
        ...settings,
      }),
    ).id;
    return this.#campaignId;
  }

  async verb(verb: 'start' | 'pause' | 'resume' | 'stop', body: object = {}): Promise<void> {
    await this.#ask('POST', `/campaign/${this.#campaignId}/${verb}`, body);
  }

  async change(settings: object): Promise<void> {
    await this.#ask('PATCH', `/campaign/${this.#campaignId}`, settings);
  }

  async progress(): Promise<z.infer<typeof Progress>> {
    return Progress.parse(await this.#ask('GET', `/campaign/${this.#campaignId}/progress`));
  }

  /** Every row of the campaign, or those in a state. */
  async rows(state?: string): Promise<RowEnd[]> {
    const found: RowEnd[] = [];
    for (let after: number | null = 0; after !== null;) {
      const page: z.infer<typeof Rows> = Rows.parse(
        await this.#ask(
          'GET',
          `/campaign/${this.#campaignId}/rows?limit=100&after=${after}${state === undefined ? '' : `&state=${state}`}`,
        ),
      );
      found.push(...page.rows.map(({ settled_at: settledAt, ...row }) => ({ ...row, settledAt })));
      after = page.next_after;
    }
    return found;
  }

  async attemptsOf(row: number): Promise<Attempt[]> {
    const { history } = History.parse(await this.#ask('GET', `/campaign/${this.#campaignId}/rows/${row}`));
    return history.map(({ outcome, begun_at: begunAt, settled_at: settledAt }) => ({
      outcome,
      begunAt,
      settledAt,
    }));
  }

  /** Lines of the report, without its header: one for each call. */
  async reportLines(): Promise<number> {
    const answer = await fetch(`${this.#service.apiUrl}/api/v1/campaign/${this.#campaignId}/report`, {
      headers: { 'X-API-Key': this.#service.apiKey },
    });
    return (await answer.text()).trimEnd().split('\n').length - 1;
  }

  async #ask(method: string, path: string, body?: unknown): Promise<unknown> {
    const key = randomUUID();
    for (const deadline = Date.now() + patienceMs; ;) {
      const answer = await this.#service
        .request(method, path, body, method === 'POST' ? { 'Idempotency-Key': key } : {})
        .catch(() => null);
      if (answer !== null && answer.status < 300) return answer.body;
      const isToComeLater =
        answer === null ||
        answer.status === 429 ||
        answer.status === 503 ||
        (answer.status === 409 && answer.headers.get('retry-after') !== null);
      if (!isToComeLater || Date.now() > deadline)
        throw new Error(
          `${method} ${path} is answered with ${answer?.status}: ${JSON.stringify(answer?.body)}`,
        );
      await pause(500);
    }
  }
}

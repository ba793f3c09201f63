import { createHash, randomInt } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { Problem } from './problems.ts';

/** A Call Control application as the carrier's API shows it. */
const Application = z.object({
  record_type: z.literal('call_control_application'),
  id: z.string(),
  application_name: z.string(),
  webhook_event_url: z.string(),
  webhook_event_failover_url: z.string().nullable(),
  active: z.boolean(),
  outbound: z.object({
    outbound_voice_profile_id: z.string().nullable(),
    channel_limit: z.number().nullable(),
  }),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Application = z.infer<typeof Application>;

const AccountData = z.object({
  applications: z.array(Application),
  /** Numbers of the account; null = every requested number. */
  numbers: z.array(z.object({ phone_number: z.string(), connection_id: z.string().nullable() })).nullable(),
});
type AccountData = z.infer<typeof AccountData>;

/** The fields of an application in a request; missing fields stay unchanged. */
export interface ApplicationFields {
  application_name: string;
  webhook_event_url: string;
  webhook_event_failover_url?: string | null | undefined;
  active?: boolean | undefined;
  outbound?:
    | { outbound_voice_profile_id?: string | null | undefined; channel_limit?: number | null | undefined }
    | undefined;
}

/** The account of one API key. */
export class Account {
  readonly key: string;
  #data: AccountData;
  #changed: () => void;

  constructor(key: string, data: AccountData, changed: () => void) {
    this.key = key;
    this.#data = data;
    this.#changed = changed;
  }

  get applications(): readonly Application[] {
    return this.#data.applications;
  }

  /** The outbound voice profile of applications; one is enough to dial out. */
  get profileId(): string {
    return `16${createHash('sha256').update(this.key).digest('hex').replaceAll(/[a-f]/g, '7').slice(0, 17)}`;
  }

  add(fields: ApplicationFields): Application {
    const now = new Date().toISOString();
    const id = `2${String(randomInt(10 ** 9)).padStart(9, '0')}${String(randomInt(10 ** 9)).padStart(9, '0')}`;
    const none = { outbound_voice_profile_id: null, channel_limit: null };
    const application: Application = {
      record_type: 'call_control_application',
      id,
      application_name: '',
      webhook_event_url: '',
      webhook_event_failover_url: null,
      active: true,
      outbound: none,
      created_at: now,
      updated_at: now,
    };
    this.#data.applications.push(application);
    return this.change(id, fields);
  }

  change(
    id: string,
    {
      application_name: name,
      webhook_event_url: address,
      webhook_event_failover_url: failover,
      active,
      outbound,
    }: ApplicationFields,
  ): Application {
    const application = this.application(id);
    if (application === undefined) throw new Problem('10005');
    const profile = outbound?.outbound_voice_profile_id;
    if (typeof profile === 'string' && profile !== this.profileId)
      throw new Problem('10015', {
        detail: 'No such outbound voice profile',
        pointer: '/outbound/outbound_voice_profile_id',
      });
    application.application_name = name;
    application.webhook_event_url = address;
    application.updated_at = new Date().toISOString();
    if (failover !== undefined) application.webhook_event_failover_url = failover;
    if (active !== undefined) application.active = active;
    if (profile !== undefined) application.outbound.outbound_voice_profile_id = profile;
    if (outbound?.channel_limit !== undefined) application.outbound.channel_limit = outbound.channel_limit;
    this.#changed();
    return application;
  }

  application(id: string): Application | undefined {
    return this.#data.applications.find((each) => each.id === id);
  }

  owns(e164: string): boolean {
    return this.#data.numbers === null || this.#data.numbers.some((each) => each.phone_number === e164);
  }

  /** Filters like the carrier: by digits, which may be a part of the number; anything else finds nothing. */
  numbersWith(digits: string): { phone_number: string; connection_id: string | null }[] {
    if (!/^\d{3,}$/.test(digits)) return [];
    if (this.#data.numbers === null)
      return [{ phone_number: `+${digits}`, connection_id: this.#data.applications[0]?.id ?? null }];
    return this.#data.numbers.filter((each) => each.phone_number.includes(digits));
  }

  setNumbers(numbers: AccountData['numbers']): void {
    this.#data.numbers = numbers;
    this.#changed();
  }
}

/** Accounts by API key, created on first use. `file`: where they are stored across restarts. */
export class Accounts {
  #file: string | undefined;
  #data: Record<string, AccountData>;
  #accounts = new Map<string, Account>();

  constructor(file?: string) {
    this.#file = file;
    this.#data =
      file !== undefined && existsSync(file)
        ? z.record(z.string(), AccountData).parse(JSON.parse(readFileSync(file, 'utf8')))
        : {};
  }

  of(key: string): Account {
    const known = this.#accounts.get(key);
    if (known !== undefined) return known;
    const account = new Account(key, (this.#data[key] ??= { applications: [], numbers: null }), () =>
      this.#save(),
    );
    this.#accounts.set(key, account);
    return account;
  }

  /** Every account in use. */
  all(): Account[] {
    return Object.keys(this.#data).map((key) => this.of(key));
  }

  #save(): void {
    if (this.#file !== undefined) writeFileSync(this.#file, JSON.stringify(this.#data, null, 2));
  }
}

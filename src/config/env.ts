import { isIP } from 'node:net';
import { z } from 'zod';
import type { PriceList } from '../domain/call/cost.ts';
import { timeoutsMs, workerRoles, type WorkerRole } from '../domain/declaration.ts';
import type { RequestLimits } from '../domain/request-limits.ts';
import { readPrices } from './prices.ts';
import { callerLimits } from './request-limits.ts';

/**
 * Process configuration: the only reader of the environment. An empty variable counts as unset; all faults
 * are reported at once with the variables' names. `.env.example` lists every variable (a test compares them).
 */

const optionalText = z.string().optional();
const port = (fallback: number) => z.coerce.number().int().min(0).max(65535).default(fallback);
const baseUrl = z
  .string()
  .regex(/^https?:\/\/\S+$/, 'must start with http:// or https://')
  .transform((value) => value.replace(/\/+$/, ''));
const socketUrl = z
  .string()
  .regex(/^wss?:\/\/\S+$/, 'must start with ws:// or wss://')
  .transform((value) => value.replace(/\/+$/, ''));
const flag = (fallback: 'true' | 'false' = 'false') =>
  z
    .enum(['true', 'false'])
    .default(fallback)
    .transform((value) => value === 'true');
const list = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== ''),
  );

/** Roles of temporal.yaml; all of them when none is named. */
const workerRoleNames = Object.keys(workerRoles).filter((name): name is WorkerRole => name in workerRoles);
const rolesOfWorker = list
  .refine(
    (names) => names.every((name) => Object.hasOwn(workerRoles, name)),
    `must be names of roles, comma-separated: ${workerRoleNames.join(', ')}`,
  )
  .transform((names) =>
    names.length === 0 ? workerRoleNames : workerRoleNames.filter((name) => names.includes(name)),
  );

/** An IP address, or one with the length of a network's prefix. */
function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const max = isIP(address) === 6 ? 128 : 32;
  return (
    isIP(address) !== 0 &&
    more.length === 0 &&
    (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= max))
  );
}

/** A page's origin as a browser writes it. */
const isOrigin = (text: string): boolean =>
  /^https?:\/\/[^*]+$/.test(text) && URL.parse(text)?.origin === text;

/** An attempt is recorded before and after it is sent, inside one activity. */
const maxWebhookMs = timeoutsMs.deliveryAttemptStartToClose - 2 * timeoutsMs.quickStartToClose;

/** Values of OTEL_TRACES_SAMPLER that every SDK of OpenTelemetry knows. */
const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export const Environment = z.object({
  DATABASE_URL: z
    .string()
    .regex(/^mysql:\/\//, 'must start with mysql://')
    .describe(
      'MySQL 8.4 or MariaDB, e.g. mysql://user:password@host:3306/parlance; `?socketPath=/path` for a Unix socket',
    ),
  TEMPORAL_ADDRESS: z.string().default('127.0.0.1:7233').describe('host:port of the Temporal frontend'),
  TEMPORAL_NAMESPACE: z
    .string()
    .default('parlance')
    .describe('Temporal namespace; temporal.yaml declares the usual one'),
  TEMPORAL_API_KEY: optionalText.describe('API key of a hosted Temporal; TLS is then on'),
  TEMPORAL_UI_URL: baseUrl.optional().describe('Base URL of Temporal UI, used for links that people see'),
  PARLANCE_HTTP_HOST: z.string().default('0.0.0.0').describe('Address that the API listens on'),
  PARLANCE_HTTP_PORT: port(8000).describe('Port of the API; published clients default to 8000'),
  PARLANCE_WORKER_HEALTH_PORT: port(8001).describe('Port of the worker health server; 0 takes any free one'),
  PARLANCE_METRICS_PORT: port(8003).describe(
    'Port of the API for those who watch it: health, readiness, metrics. Not for customers; 0 takes any free one',
  ),
  PARLANCE_MEDIA_PORT: port(8004).describe(
    'Port of a media host: sockets of carriers and browsers; 0 takes any free one',
  ),
  PARLANCE_MEDIA_HEALTH_PORT: port(8008).describe(
    'Port of a media host for those who watch it: health, readiness, metrics. Not for customers; 0 takes any free one',
  ),
  PARLANCE_MEDIA_PUBLIC_URL: socketUrl
    .default('ws://localhost:8004')
    .describe(
      'Base URL under which carriers and browsers reach this very media host, ws:// or wss://; each host needs one of its own',
    ),
  PARLANCE_MEDIA_MAX_CALLS: z.coerce
    .number()
    .int()
    .min(1)
    .default(100)
    .describe('Most calls that a media host holds at once; it takes fewer while it is late'),
  PARLANCE_MEDIA_LATENCY_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(500)
    .default(150)
    .describe(
      "Time from a media host to a person's ear, in milliseconds, until it is measured on the stream",
    ),
  PARLANCE_MEDIA_DRAIN_MS: z.coerce
    .number()
    .int()
    .min(0)
    .default(60_000)
    .describe(
      'How long a media host that is to stop waits for its calls to move to another one, in milliseconds',
    ),
  PARLANCE_PUBLIC_URL: baseUrl
    .default('http://localhost:8000')
    .describe('Base URL under which customers reach the API; part of public links'),
  PARLANCE_ENCRYPTION_KEYS: z
    .string()
    .describe(
      'Keys that encrypt secrets at rest: `id:base64` of 32 bytes, comma-separated, the first one encrypts, all decrypt',
    ),
  PARLANCE_PAYLOAD_KEYS: optionalText.describe(
    'Keys that encrypt what Temporal keeps, in the form of PARLANCE_ENCRYPTION_KEYS; without them it is kept in clear. A key stays here as long as Temporal keeps what it encrypted',
  ),
  PARLANCE_CODEC_TOKEN: z
    .string()
    .min(24)
    .optional()
    .describe(
      'Secret of at least 24 characters by which an operator reads encrypted payloads in Temporal UI and CLI; without it nobody can',
    ),
  PARLANCE_DEVOPS_SECRET: z
    .string()
    .min(24)
    .optional()
    .describe(
      'Secret of at least 24 characters that a scaler of processes sends as X-Dograh-Devops-Secret to /health/active-calls and /health/autoscale-metric; without it they do not exist',
    ),
  PARLANCE_WORKER_BUILD_ID: optionalText.describe(
    'Version of the code that a worker runs, new with each deploy: turns on worker versioning. Such a worker gets work only after its version was made current',
  ),
  PARLANCE_WORKER_ROLES: rolesOfWorker.describe(
    `What a worker does, comma-separated roles of temporal.yaml: ${workerRoleNames.join(', ')}; all of them without it. Some worker has to do each. A worker of its own for import keeps the reading of large files away from live turns and from the pace of campaigns`,
  ),
  PARLANCE_SIGNUP_ENABLED: flag('true').describe(
    'false lets nobody sign up any more; who is registered signs in as before',
  ),
  PARLANCE_TRUSTED_PROXIES: list
    .refine((proxies) => proxies.every(isNetwork), 'must be IP addresses or networks such as 10.0.0.0/8')
    .describe(
      'Proxies in front of the API, comma-separated addresses or networks (10.0.0.0/8): from them X-Forwarded-For says where a request comes from. Without it all who come through a proxy count as one address when sign-ins and downloads are limited',
    ),
  PARLANCE_CORS_ORIGINS: list
    .refine(
      (origins) => origins.every(isOrigin),
      'must be origins such as https://console.example.com, without a path',
    )
    .describe(
      "Origins whose pages may call the API from a browser, comma-separated (https://console.example.com); nobody's without it",
    ),
  PARLANCE_RATE_LIMIT_STORE: z
    .enum(['memory', 'mysql', 'off'])
    .default('memory')
    .describe(
      'Where requests are counted: memory = each API process for itself, mysql = all together, off = not at all',
    ),
  PARLANCE_KEY_RATE_LIMITS: callerLimits('reads=3000,writes=1200,calls=300').describe(
    'Most requests a minute of one API key, or of one signed-in user: reads (GET), writes, and requests that start a call',
  ),
  PARLANCE_ORGANIZATION_RATE_LIMITS: callerLimits('reads=6000,writes=2400,calls=600').describe(
    'The same for all of an organization together',
  ),
  PARLANCE_DOWNLOAD_RATE_LIMIT: z.coerce
    .number()
    .int()
    .min(1)
    .default(600)
    .describe('Most downloads by public link a minute from one network'),
  PARLANCE_FILES_DIRECTORY: optionalText.describe(
    'Folder for files: contacts and background sounds that customers upload, recordings of calls. Every API, worker and media process needs the same one, and a backup of it. Without it, and without a bucket, nothing can be uploaded and nothing is recorded',
  ),
  PARLANCE_DIRECTORY_MAX_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .default(268_435_456)
    .describe(
      'Most bytes of a contact file that is uploaded as a directory; a file of a million rows has some 60 million',
    ),
  PARLANCE_STORAGE_S3_BUCKET: optionalText.describe(
    'Bucket for files instead of PARLANCE_FILES_DIRECTORY, in Amazon S3 or a storage that speaks its protocol (docs/storage.md); every API, worker and media process needs the same one',
  ),
  PARLANCE_STORAGE_S3_REGION: optionalText.describe(
    'Region of the bucket, e.g. eu-central-1; needed with a bucket',
  ),
  PARLANCE_STORAGE_S3_ACCESS_KEY_ID: optionalText.describe(
    'Id of the key that may list the bucket, and read, write and delete in it; needed with a bucket',
  ),
  PARLANCE_STORAGE_S3_SECRET_ACCESS_KEY: optionalText.describe('Secret of that key; needed with a bucket'),
  PARLANCE_STORAGE_S3_ENDPOINT: baseUrl
    .optional()
    .describe("Address of a storage that is not Amazon's, e.g. https://minio.example.com"),
  PARLANCE_STORAGE_S3_PUBLIC_ENDPOINT: baseUrl
    .optional()
    .describe(
      'Address of the same storage as customers and their browsers reach it, when that is another one: links to files lead there',
    ),
  PARLANCE_STORAGE_S3_FORCE_PATH_STYLE: z
    .enum(['true', 'false'])
    .optional()
    .describe(
      "Whether the bucket is named in the path of addresses (true) or in their host (false); without it true for an endpoint of one's own, false for Amazon",
    ),
  PARLANCE_LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('Least level that is logged'),
  PARLANCE_ALLOWED_PRIVATE_HOSTS: list.describe(
    'Private hosts that customer URLs may reach, comma-separated host or host:port; none by default',
  ),
  PARLANCE_ALLOW_HTTP: flag().describe('true lets customer URLs be plain http'),
  PARLANCE_MAX_WEBHOOK_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .positive()
    .max(
      maxWebhookMs,
      `must be at most ${maxWebhookMs}: deliveryAttemptStartToClose of temporal.yaml less a transaction before and one after`,
    )
    .default(20_000)
    .describe(`Whole time of one webhook attempt, at most ${maxWebhookMs}`),
  OPENAI_API_KEY: optionalText.describe(
    'Key of the language model; without it `npm start` uses the simulated one',
  ),
  OPENAI_BASE_URL: optionalText.describe('Any OpenAI-compatible endpoint'),
  PARLANCE_PRICES: optionalText.describe(
    'File (YAML or JSON) with what language models cost: USD per million `prompt`, `cached_prompt` and `completion` tokens under `service|||model`, e.g. openai|||gpt-4.1-mini; without it calls have no cost',
  ),
  LLM_MODEL: z
    .string()
    .default('gpt-4.1-mini')
    .describe('Model of conversations, extraction and agents that are made of a description'),
  STT_PROVIDER: z
    .enum(['telnyx', 'openai'])
    .default('telnyx')
    .describe('Who recognizes what callers say: telnyx (TELNYX_API_KEY) or openai (OPENAI_API_KEY)'),
  STT_MODEL: optionalText.describe(
    'Model of the speech recognition, as its vendor calls it: nova-3 of Telnyx or gpt-live-transcribe of OpenAI without it',
  ),
  TELNYX_API_KEY: optionalText.describe(
    'Key of the speech recognition of Telnyx. Carriers have keys of their own, with each telephony configuration',
  ),
  TELNYX_STT_URL: socketUrl
    .optional()
    .describe("Another address than that of Telnyx's streaming speech recognition"),
  PARLANCE_CALL_LIMIT: z.coerce
    .number()
    .int()
    .min(1)
    .default(10)
    .describe(
      'Most spoken calls, by phone or in a browser, that an organization may have at once by requests and campaigns',
    ),
  PARLANCE_INBOUND_SHARE: z.coerce
    .number()
    .int()
    .min(0)
    .default(2)
    .describe('Places beside these that only incoming calls take'),
  TELNYX_API_URL: baseUrl
    .optional()
    .describe(
      "Another address than that of Telnyx's call control; what answers there counts as a stand-in, and its calls as simulated",
    ),
  OPENAI_REALTIME_URL: socketUrl
    .optional()
    .describe("Another address than that of OpenAI's realtime transcription"),
  TTS_PROVIDER: z
    .enum(['google', 'openai'])
    .default('google')
    .describe('Who speaks to callers: google (GOOGLE_APPLICATION_CREDENTIALS) or openai (OPENAI_API_KEY)'),
  TTS_MODEL: optionalText.describe(
    'Model of the voice, as its vendor calls it: Chirp 3 HD of Google or gpt-4o-mini-tts of OpenAI without it',
  ),
  TTS_VOICE: optionalText.describe(
    'Voice of agents that name none, as its vendor calls it: Kore of Google or marin of OpenAI without it',
  ),
  TTS_LANGUAGE: optionalText.describe('Language of that voice, BCP 47; en-US without it'),
  GOOGLE_APPLICATION_CREDENTIALS: optionalText.describe(
    "JSON file of a service account that may use Cloud Text-to-Speech; read by Google's library itself",
  ),
  GOOGLE_TTS_ENDPOINT: baseUrl
    .optional()
    .describe(
      "Another address than Google's global one, e.g. https://eu-texttospeech.googleapis.com; one with http:// is a simulated voice",
    ),
  OPENAI_SPEECH_URL: baseUrl
    .optional()
    .describe(
      'Another server than OpenAI itself that speaks its /audio/speech, e.g. http://127.0.0.1:8880/v1',
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl
    .optional()
    .describe('Base URL of an OTLP/HTTP receiver of traces (JSON, `/v1/traces` is added); turns tracing on'),
  OTEL_EXPORTER_OTLP_HEADERS: optionalText.describe(
    'Headers for that receiver, `name=value` comma-separated; read by OpenTelemetry itself, as OTEL_EXPORTER_OTLP_TIMEOUT, _COMPRESSION and _CERTIFICATE are',
  ),
  OTEL_SERVICE_NAME: optionalText.describe(
    'Name of the service in traces; parlance-api, parlance-worker and parlance-media without it',
  ),
  OTEL_TRACES_SAMPLER: z
    .enum(samplerNames)
    .default('parentbased_always_on')
    .describe(
      `Which traces are kept: ${samplerNames.join(', ')}. The parentbased ones follow what a caller decided in its traceparent`,
    ),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('Share of traces that a traceidratio sampler keeps'),
  PARLANCE_TRACE_URL: z
    .string()
    .regex(/^https?:\/\/.*\{trace_id\}/, 'must be a URL with {trace_id} in it')
    .optional()
    .describe(
      'Address of one trace where people look at traces, with `{trace_id}` in it; becomes trace_url of a call',
    ),
});

export type VariableName = keyof typeof Environment.shape;

export interface Config {
  databaseUrl: string;
  temporal: {
    address: string;
    namespace: string;
    apiKey: string | undefined;
    uiUrl: string | undefined;
    payloadKeys: string | undefined;
    codecToken: string | undefined;
    buildId: string | undefined;
  };
  http: {
    host: string;
    port: number;
    metricsPort: number;
    publicUrl: string;
    trustedProxies: string[];
    corsOrigins: string[];
  };
  media: {
    port: number;
    healthPort: number;
    publicUrl: string;
    maxCalls: number;
    latencyMs: number;
    drainMs: number;
  };
  devopsSecret: string | undefined;
  workerHealthPort: number;
  /** What a worker process does. */
  workerRoles: readonly WorkerRole[];
  signupEnabled: boolean;
  /** Absent = nobody is limited. */
  requestLimits: { store: 'memory' | 'mysql'; limits: RequestLimits } | undefined;
  encryptionKeys: string;
  /** Where files are kept. */
  storage: StorageConfig;
  /** Largest contact file, in bytes. */
  directoryMaxBytes: number;
  logLevel: string;
  customerUrls: { allowedPrivateHosts: string[]; allowHttp: boolean; webhookTimeoutMs: number };
  llm: {
    apiKey: string | undefined;
    baseUrl: string | undefined;
    model: string;
    prices: PriceList | undefined;
  };
  /** Who recognizes speech, the installation's keys by vendor, and other addresses than the vendors' own. */
  stt: {
    provider: 'telnyx' | 'openai';
    model: string | undefined;
    keys: { telnyx: string | undefined; openai: string | undefined };
    urls: { telnyx: string | undefined; openai: string | undefined };
  };
  /** Spoken calls that an organization may have at once; the share is for incoming ones alone. */
  callLimits: { calls: number; inboundShare: number };
  /** Another address than the carrier's own: a stand-in answers there. */
  carrierUrls: Readonly<Record<string, string | undefined>>;
  /** Who speaks, the installation's voice, and other addresses than the vendors' own. */
  tts: {
    provider: 'google' | 'openai';
    model: string | undefined;
    voice: string | undefined;
    language: string | undefined;
    google: { hasCredentials: boolean; endpoint: string | undefined };
    openai: { apiKey: string | undefined; baseUrl: string | undefined };
  };
  /** Absent = nothing is traced. */
  tracing: TracingConfig | undefined;
}

/** A bucket goes before a folder. */
export type StorageConfig =
  | { kind: 'none' }
  | { kind: 'folder'; directory: string }
  | { kind: 's3'; bucket: BucketConfig };

export interface BucketConfig {
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Absent = Amazon's own. */
  endpoint: string | undefined;
  publicEndpoint: string | undefined;
  isPathStyle: boolean;
}

export interface TracingConfig {
  endpoint: string;
  sampler: { name: (typeof samplerNames)[number]; ratio: number };
  /** With `{trace_id}` in it. */
  traceUrl: string | undefined;
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Parses the environment; throws ConfigError naming every variable at fault. Values of secrets never appear.
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(
      (issue) =>
        `${issue.path.join('.')}: ${given[String(issue.path[0])] === undefined ? 'is not set' : issue.message}`,
    );
    throw new ConfigError(`Configuration is not usable (see .env.example):\n  ${faults.join('\n  ')}`);
  }
  const env = parsed.data;
  return {
    databaseUrl: env.DATABASE_URL,
    temporal: {
      address: env.TEMPORAL_ADDRESS,
      namespace: env.TEMPORAL_NAMESPACE,
      apiKey: env.TEMPORAL_API_KEY,
      uiUrl: env.TEMPORAL_UI_URL,
      payloadKeys: env.PARLANCE_PAYLOAD_KEYS,
      codecToken: env.PARLANCE_CODEC_TOKEN,
      buildId: env.PARLANCE_WORKER_BUILD_ID,
    },
    http: {
      host: env.PARLANCE_HTTP_HOST,
      port: env.PARLANCE_HTTP_PORT,
      metricsPort: env.PARLANCE_METRICS_PORT,
      publicUrl: env.PARLANCE_PUBLIC_URL,
      trustedProxies: env.PARLANCE_TRUSTED_PROXIES,
      corsOrigins: env.PARLANCE_CORS_ORIGINS,
    },
    media: {
      port: env.PARLANCE_MEDIA_PORT,
      healthPort: env.PARLANCE_MEDIA_HEALTH_PORT,
      publicUrl: env.PARLANCE_MEDIA_PUBLIC_URL,
      maxCalls: env.PARLANCE_MEDIA_MAX_CALLS,
      latencyMs: env.PARLANCE_MEDIA_LATENCY_MS,
      drainMs: env.PARLANCE_MEDIA_DRAIN_MS,
    },
    devopsSecret: env.PARLANCE_DEVOPS_SECRET,
    workerHealthPort: env.PARLANCE_WORKER_HEALTH_PORT,
    workerRoles: env.PARLANCE_WORKER_ROLES,
    signupEnabled: env.PARLANCE_SIGNUP_ENABLED,
    requestLimits:
      env.PARLANCE_RATE_LIMIT_STORE === 'off'
        ? undefined
        : {
            store: env.PARLANCE_RATE_LIMIT_STORE,
            limits: {
              key: env.PARLANCE_KEY_RATE_LIMITS,
              organization: env.PARLANCE_ORGANIZATION_RATE_LIMITS,
              network: { downloads: env.PARLANCE_DOWNLOAD_RATE_LIMIT },
            },
          },
    encryptionKeys: env.PARLANCE_ENCRYPTION_KEYS,
    storage: readStorage(env),
    directoryMaxBytes: env.PARLANCE_DIRECTORY_MAX_BYTES,
    logLevel: env.PARLANCE_LOG_LEVEL,
    customerUrls: {
      allowedPrivateHosts: env.PARLANCE_ALLOWED_PRIVATE_HOSTS,
      allowHttp: env.PARLANCE_ALLOW_HTTP,
      webhookTimeoutMs: env.PARLANCE_MAX_WEBHOOK_TIMEOUT_MS,
    },
    llm: {
      apiKey: env.OPENAI_API_KEY,
      baseUrl: env.OPENAI_BASE_URL,
      model: env.LLM_MODEL,
      prices: env.PARLANCE_PRICES === undefined ? undefined : pricesIn(env.PARLANCE_PRICES),
    },
    stt: {
      provider: env.STT_PROVIDER,
      model: env.STT_MODEL,
      keys: { telnyx: env.TELNYX_API_KEY, openai: env.OPENAI_API_KEY },
      urls: { telnyx: env.TELNYX_STT_URL, openai: env.OPENAI_REALTIME_URL },
    },
    callLimits: { calls: env.PARLANCE_CALL_LIMIT, inboundShare: env.PARLANCE_INBOUND_SHARE },
    carrierUrls: { telnyx: env.TELNYX_API_URL },
    tts: {
      provider: env.TTS_PROVIDER,
      model: env.TTS_MODEL,
      voice: env.TTS_VOICE,
      language: env.TTS_LANGUAGE,
      google: {
        hasCredentials: env.GOOGLE_APPLICATION_CREDENTIALS !== undefined,
        endpoint: env.GOOGLE_TTS_ENDPOINT,
      },
      openai: { apiKey: env.OPENAI_API_KEY, baseUrl: env.OPENAI_SPEECH_URL },
    },
    tracing:
      env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? undefined
        : {
            endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
            sampler: { name: env.OTEL_TRACES_SAMPLER, ratio: env.OTEL_TRACES_SAMPLER_ARG },
            traceUrl: env.PARLANCE_TRACE_URL,
          },
  };
}

const bucketVariables = [
  'PARLANCE_STORAGE_S3_BUCKET',
  'PARLANCE_STORAGE_S3_REGION',
  'PARLANCE_STORAGE_S3_ACCESS_KEY_ID',
  'PARLANCE_STORAGE_S3_SECRET_ACCESS_KEY',
] as const;

/** All that a bucket needs, or nothing of it: half of it is no wish for a folder. Throws ConfigError. */
function readStorage(env: z.output<typeof Environment>): StorageConfig {
  const endpoint = env.PARLANCE_STORAGE_S3_ENDPOINT;
  const given = [
    ...bucketVariables,
    'PARLANCE_STORAGE_S3_ENDPOINT',
    'PARLANCE_STORAGE_S3_PUBLIC_ENDPOINT',
    'PARLANCE_STORAGE_S3_FORCE_PATH_STYLE',
  ] as const;
  const [one] = given.filter((name) => env[name] !== undefined);
  if (one === undefined)
    return env.PARLANCE_FILES_DIRECTORY === undefined
      ? { kind: 'none' }
      : { kind: 'folder', directory: env.PARLANCE_FILES_DIRECTORY };
  const missing = bucketVariables.filter((name) => env[name] === undefined);
  if (missing.length > 0)
    throw new ConfigError(
      `Configuration is not usable (see .env.example):\n  ${missing.map((name) => `${name}: is not set, but ${one} is`).join('\n  ')}`,
    );
  const [bucket = '', region = '', accessKeyId = '', secretAccessKey = ''] = bucketVariables.map(
    (name) => env[name],
  );
  const pathStyle = env.PARLANCE_STORAGE_S3_FORCE_PATH_STYLE;
  return {
    kind: 's3',
    bucket: {
      bucket,
      region,
      accessKeyId,
      secretAccessKey,
      endpoint,
      publicEndpoint: env.PARLANCE_STORAGE_S3_PUBLIC_ENDPOINT,
      isPathStyle: pathStyle === undefined ? endpoint !== undefined : pathStyle === 'true',
    },
  };
}

function pricesIn(file: string): PriceList {
  try {
    return readPrices(file);
  } catch (error) {
    throw new ConfigError(
      `Configuration is not usable (see .env.example):\n  PARLANCE_PRICES: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}

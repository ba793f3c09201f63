import { isIP } from 'node:net';
import { z } from 'zod';
import type { PriceList } from '../domain/call/cost.ts';
import { timeoutsMs, workerRoles, type WorkerRole } from '../domain/declaration.ts';
import type { RequestLimits } from '../domain/request-limits.ts';
import { readPrices } from './prices.ts';
import { callerLimits } from './request-limits.ts';

/**
 * Configuration of a process, from environment variables. An empty variable counts as unset. All faults are
 * reported at once, with the names of the variables. `.env.example` lists every variable; a test compares
 * them.
 */

const optionalText = z.string().optional();
const port = (fallback: number) => z.coerce.number().int().min(0).max(65535).default(fallback);
/** A maximum per day. */
const perDay = (fallback: number) => z.coerce.number().int().min(1).default(fallback);
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

/** Roles of temporal.yaml. All of them by default. */
const workerRoleNames = Object.keys(workerRoles).filter((name): name is WorkerRole => name in workerRoles);
const rolesOfWorker = list
  .refine(
    (names) => names.every((name) => Object.hasOwn(workerRoles, name)),
    `must be a comma-separated list of roles: ${workerRoleNames.join(', ')}`,
  )
  .transform((names) =>
    names.length === 0 ? workerRoleNames : workerRoleNames.filter((name) => names.includes(name)),
  );

/** Whether the text is an IP address, optionally with the length of a network prefix. */
function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const max = isIP(address) === 6 ? 128 : 32;
  return (
    isIP(address) !== 0 &&
    more.length === 0 &&
    (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= max))
  );
}

/** Whether the text is an origin as browsers send it. */
const isOrigin = (text: string): boolean =>
  /^https?:\/\/[^*]+$/.test(text) && URL.parse(text)?.origin === text;

/** Maximum time of an attempt. The activity that sends it also records it before and afterwards. */
const maxWebhookMs = timeoutsMs.deliveryAttemptStartToClose - 2 * timeoutsMs.quickStartToClose;

/** Values of OTEL_TRACES_SAMPLER that every OpenTelemetry SDK supports. */
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
      'URL of MySQL 8.4 or MariaDB, e.g. mysql://user:password@host:3306/parlance. `?socketPath=/path` for a Unix socket',
    ),
  TEMPORAL_ADDRESS: z.string().default('127.0.0.1:7233').describe('host:port of the Temporal frontend'),
  TEMPORAL_NAMESPACE: z
    .string()
    .default('parlance')
    .describe('Temporal namespace. temporal.yaml declares the default one'),
  TEMPORAL_API_KEY: optionalText.describe('API key of a hosted Temporal. Turns TLS on'),
  TEMPORAL_UI_URL: baseUrl.optional().describe('Base URL of Temporal UI, for links'),
  PARLANCE_HTTP_HOST: z.string().default('0.0.0.0').describe('Address that the API listens on'),
  PARLANCE_HTTP_PORT: port(8000).describe('Port of the API. Published clients default to 8000'),
  PARLANCE_WORKER_HEALTH_PORT: port(8001).describe(
    'Port of the health server of a worker. 0 takes any free port',
  ),
  PARLANCE_METRICS_PORT: port(8003).describe(
    'Port of the API for monitoring: health, readiness, metrics. Not for customers. 0 takes any free port',
  ),
  PARLANCE_MEDIA_PORT: port(8004).describe(
    'Port of a media host for WebSockets of carriers and browsers. 0 takes any free port',
  ),
  PARLANCE_MEDIA_HEALTH_PORT: port(8008).describe(
    'Port of a media host for monitoring: health, readiness, metrics. Not for customers. 0 takes any free port',
  ),
  PARLANCE_MEDIA_PUBLIC_URL: socketUrl
    .default('ws://localhost:8004')
    .describe(
      'Base URL of this media host for carriers and browsers, wss://, or ws:// if it and PARLANCE_PUBLIC_URL are of localhost. Each host needs a different one',
    ),
  PARLANCE_MEDIA_MAX_CALLS: z.coerce
    .number()
    .int()
    .min(1)
    .default(100)
    .describe('Maximum number of concurrent calls of a media host. A host that is late accepts fewer'),
  PARLANCE_MEDIA_LATENCY_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(500)
    .default(150)
    .describe(
      "Delay from a media host to the person's ear in milliseconds, used until it is measured on the stream",
    ),
  PARLANCE_MEDIA_DRAIN_MS: z.coerce
    .number()
    .int()
    .min(0)
    .default(60_000)
    .describe('Time in milliseconds that a stopping media host waits for its calls to move to another host'),
  PARLANCE_PUBLIC_URL: baseUrl
    .default('http://localhost:8000')
    .describe('Base URL of the API for customers. Part of public links'),
  PARLANCE_ENCRYPTION_KEYS: z
    .string()
    .describe(
      'Keys that encrypt secrets at rest: comma-separated `id:base64` of 32 bytes each. The first one encrypts, all decrypt. A worker that has only the role import needs none',
    ),
  PARLANCE_PAYLOAD_KEYS: optionalText.describe(
    'Keys that encrypt payloads in Temporal, in the form of PARLANCE_ENCRYPTION_KEYS. Without them payloads are not encrypted. Keep a key here while Temporal keeps payloads that it encrypted',
  ),
  PARLANCE_CODEC_TOKEN: z
    .string()
    .min(24)
    .optional()
    .describe(
      'Secret of at least 24 characters for operators who read encrypted payloads in Temporal UI and CLI. Without it no one can read them there',
    ),
  PARLANCE_DEVOPS_SECRET: z
    .string()
    .min(24)
    .optional()
    .describe(
      'Secret of at least 24 characters that an autoscaler sends as X-Dograh-Devops-Secret to /health/active-calls and /health/autoscale-metric. Without it these endpoints do not exist',
    ),
  PARLANCE_WORKER_BUILD_ID: optionalText.describe(
    'Version of the code of a worker, new with each deploy. Turns worker versioning on: a worker gets work only after its version was made current',
  ),
  PARLANCE_WORKFLOW_BUNDLE: optionalText.describe(
    'File of the prebuilt Workflows (`node src/worker/bundle-main.ts > FILE`), which saves a worker seconds at its start. Without it, or with PARLANCE_PAYLOAD_KEYS, the worker builds them',
  ),
  PARLANCE_LIGHT_SANDBOX: flag('true').describe(
    "false runs Workflows with the time limit and the stack traces of Temporal's SDK: Temporal UI then shows the call stack of a Workflow, and a Workflow that computes for 5 seconds fails its task. By default such a Workflow ends the worker's process, and a turn takes a fifth less time",
  ),
  PARLANCE_WORKER_ROLES: rolesOfWorker.describe(
    `Roles of a worker, comma-separated, from temporal.yaml: ${workerRoleNames.join(', ')}. All of them by default. Each role needs at least one worker. A separate worker for import keeps the reading of large files from delaying turns and campaigns`,
  ),
  PARLANCE_SIGNUP_ENABLED: flag('true').describe(
    'false disables sign-up. Registered users can still sign in',
  ),
  PARLANCE_CONSOLE: flag('true').describe('false serves no console at /'),
  PARLANCE_MAX_SIGNUPS_PER_HOUR: z.coerce
    .number()
    .int()
    .min(1)
    .default(10)
    .describe('Maximum number of sign-ups within an hour from one network, refused ones included'),
  PARLANCE_SESSION_IDLE_HOURS: z.coerce
    .number()
    .int()
    .min(1)
    .max(720)
    .default(336)
    .describe(
      'Hours without a request after which a session of a user expires. At most 720, after which every session expires. Default 336 (14 days)',
    ),
  PARLANCE_TRUSTED_PROXIES: list
    .refine((proxies) => proxies.every(isNetwork), 'must be IP addresses or networks such as 10.0.0.0/8')
    .describe(
      'Proxies in front of the API, as comma-separated addresses or networks (10.0.0.0/8). Their X-Forwarded-For is trusted. Without it all clients behind a proxy count as one address in the limits of sign-ins and downloads',
    ),
  PARLANCE_CORS_ORIGINS: list
    .refine(
      (origins) => origins.every(isOrigin),
      'must be origins such as https://console.example.com, without a path',
    )
    .describe(
      'Origins whose pages may call the API, and open browser calls beside that of PARLANCE_PUBLIC_URL, from a browser, comma-separated (https://console.example.com). None by default',
    ),
  PARLANCE_RATE_LIMIT_STORE: z
    .enum(['memory', 'mysql', 'off'])
    .default('memory')
    .describe(
      'Where requests are counted for limits: memory (in each API process), mysql (in all together) or off (no limits)',
    ),
  PARLANCE_KEY_RATE_LIMITS: callerLimits('reads=3000,writes=1200,calls=300').describe(
    'Maximum requests per minute of an API key or a signed-in user: reads (GET), writes, and requests that start a call',
  ),
  PARLANCE_ORGANIZATION_RATE_LIMITS: callerLimits('reads=6000,writes=2400,calls=600').describe(
    'Maximum requests per minute of an organization, in the same groups',
  ),
  PARLANCE_DOWNLOAD_RATE_LIMIT: z.coerce
    .number()
    .int()
    .min(1)
    .default(600)
    .describe('Maximum downloads by public links per minute from one network'),
  PARLANCE_FILES_DIRECTORY: optionalText.describe(
    'Folder for files: uploaded contact files and background sounds, and recordings of calls. All API, worker and media processes need the same folder. Include it in backups. Without it, and without a bucket, nothing can be uploaded and calls are not recorded',
  ),
  PARLANCE_DIRECTORY_MAX_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .default(268_435_456)
    .describe(
      'Maximum size in bytes of a contact file that is uploaded as a directory. A file of a million rows has about 60 million bytes',
    ),
  PARLANCE_STORAGE_S3_BUCKET: optionalText.describe(
    'Bucket for files instead of PARLANCE_FILES_DIRECTORY, in Amazon S3 or a compatible storage (docs/storage.md). All API, worker and media processes need the same bucket',
  ),
  PARLANCE_STORAGE_S3_REGION: optionalText.describe(
    'Region of the bucket, e.g. eu-central-1. Required with a bucket',
  ),
  PARLANCE_STORAGE_S3_ACCESS_KEY_ID: optionalText.describe(
    'Id of an access key that may list the bucket and read, write and delete its objects. Required with a bucket',
  ),
  PARLANCE_STORAGE_S3_SECRET_ACCESS_KEY: optionalText.describe(
    'Secret of the access key. Required with a bucket',
  ),
  PARLANCE_STORAGE_S3_ENDPOINT: baseUrl
    .optional()
    .describe("URL of a storage other than Amazon's, e.g. https://minio.example.com"),
  PARLANCE_STORAGE_S3_PUBLIC_ENDPOINT: baseUrl
    .optional()
    .describe('URL of the storage for customers and their browsers, if it differs. Links to files use it'),
  PARLANCE_STORAGE_S3_FORCE_PATH_STYLE: z
    .enum(['true', 'false'])
    .optional()
    .describe(
      'Whether URLs have the name of the bucket in their path (true) or in their host (false). Default true with PARLANCE_STORAGE_S3_ENDPOINT, otherwise false',
    ),
  PARLANCE_LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('Minimum level of log entries'),
  PARLANCE_ALLOWED_PRIVATE_HOSTS: list.describe(
    'Private hosts that customer URLs of all organizations may reach, comma-separated: host:port, host for the ports 443, 80 and 8443, or host:* for every port. None by default',
  ),
  PARLANCE_ALLOW_HTTP: flag().describe('true allows http in customer URLs'),
  PARLANCE_MAX_WEBHOOK_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .positive()
    .max(
      maxWebhookMs,
      `must be at most ${maxWebhookMs}: deliveryAttemptStartToClose in temporal.yaml minus the time for two transactions`,
    )
    .default(20_000)
    .describe(`Time limit of a webhook attempt in milliseconds, at most ${maxWebhookMs}`),
  OPENAI_API_KEY: optionalText.describe(
    'API key of the language model. Without it `npm start` uses the simulated one',
  ),
  OPENAI_BASE_URL: optionalText.describe('Base URL of an OpenAI-compatible language model'),
  PARLANCE_PRICES: optionalText.describe(
    'File (YAML or JSON) with prices of language models: USD per million `prompt`, `cached_prompt` and `completion` tokens under `service|||model`, e.g. openai|||gpt-4.1-mini. Without it calls have no cost',
  ),
  LLM_MODEL: z
    .string()
    .default('gpt-4.1-mini')
    .describe('Language model for conversations, extraction and generated agents'),
  STT_PROVIDER: z
    .enum(['telnyx', 'openai'])
    .default('telnyx')
    .describe('Vendor of speech recognition: telnyx (TELNYX_API_KEY) or openai (OPENAI_API_KEY)'),
  STT_MODEL: optionalText.describe(
    "Vendor's name of the speech recognition model. Default nova-3 for Telnyx, gpt-live-transcribe for OpenAI",
  ),
  TELNYX_API_KEY: optionalText.describe(
    'API key of Telnyx speech recognition. Carriers use the keys of their connections instead',
  ),
  TELNYX_STT_URL: socketUrl
    .optional()
    .describe("URL to use instead of Telnyx's streaming speech recognition"),
  PARLANCE_CALL_LIMIT: z.coerce
    .number()
    .int()
    .min(1)
    .default(10)
    .describe(
      'Maximum number of concurrent spoken calls of an organization, by phone or in a browser, that requests and campaigns start',
    ),
  PARLANCE_INBOUND_SHARE: z.coerce
    .number()
    .int()
    .min(0)
    .default(2)
    .describe('Number of further concurrent calls, for incoming calls only'),
  PARLANCE_DEFAULT_MAX_CALLS_PER_DAY: perDay(10_000).describe(
    'Maximum dials of an organization per day, transfers included, unless its dial policy has max_calls_per_day',
  ),
  PARLANCE_DEFAULT_MAX_CALL_MINUTES_PER_DAY: perDay(20_000).describe(
    'Maximum minutes of spoken calls of an organization per day, unless its dial policy has max_call_minutes_per_day. Nothing more is dialed then',
  ),
  PARLANCE_MAX_MODEL_REQUESTS_PER_DAY: perDay(100_000).describe(
    "Maximum requests per day of an organization to the installation's language model. Organizations with their own model are not counted",
  ),
  PARLANCE_MAX_VOICE_MINUTES_PER_DAY: perDay(20_000).describe(
    "Maximum minutes per day of an organization's spoken calls with the installation's voice or speech recognition. Organizations with own keys for both have no such limit",
  ),
  TELNYX_API_URL: baseUrl
    .optional()
    .describe("URL to use instead of Telnyx's call control. Calls made there count as simulated"),
  OPENAI_REALTIME_URL: socketUrl.optional().describe("URL to use instead of OpenAI's realtime transcription"),
  TTS_PROVIDER: z
    .enum(['google', 'openai'])
    .default('google')
    .describe('Vendor of voices: google (GOOGLE_APPLICATION_CREDENTIALS) or openai (OPENAI_API_KEY)'),
  TTS_MODEL: optionalText.describe(
    "Vendor's name of the voice model. Default Chirp 3 HD for Google, gpt-4o-mini-tts for OpenAI",
  ),
  TTS_VOICE: optionalText.describe(
    "Vendor's name of the default voice. Default Kore for Google, marin for OpenAI",
  ),
  TTS_LANGUAGE: optionalText.describe('Language of the default voice (BCP 47). Default en-US'),
  GOOGLE_APPLICATION_CREDENTIALS: optionalText.describe(
    "JSON file of a service account with access to Cloud Text-to-Speech. Read by Google's library",
  ),
  GOOGLE_TTS_ENDPOINT: baseUrl
    .optional()
    .describe(
      "URL to use instead of Google's global endpoint, e.g. https://eu-texttospeech.googleapis.com. With http:// the voice is simulated",
    ),
  OPENAI_SPEECH_URL: baseUrl
    .optional()
    .describe(
      'Base URL of a server with the /audio/speech of OpenAI, to use instead, e.g. http://127.0.0.1:8880/v1',
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl
    .optional()
    .describe('Base URL of an OTLP/HTTP receiver of traces (JSON, `/v1/traces` is added). Turns tracing on'),
  OTEL_EXPORTER_OTLP_HEADERS: optionalText.describe(
    'Headers for the receiver of traces, comma-separated `name=value`. Read by OpenTelemetry itself, like OTEL_EXPORTER_OTLP_TIMEOUT, _COMPRESSION and _CERTIFICATE',
  ),
  OTEL_SERVICE_NAME: optionalText.describe(
    'Name of the service in traces. Default parlance-api, parlance-worker or parlance-media',
  ),
  OTEL_TRACES_SAMPLER: z
    .enum(samplerNames)
    .default('parentbased_always_on')
    .describe(
      `Which traces are kept: ${samplerNames.join(', ')}. The parentbased samplers follow the decision in the traceparent of a caller`,
    ),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('Share of traces that a traceidratio sampler keeps, from 0 to 1'),
  PARLANCE_TRACE_URL: z
    .string()
    .regex(/^https?:\/\/.*\{trace_id\}/, 'must be a URL that contains {trace_id}')
    .optional()
    .describe('URL of a trace in a trace viewer, with `{trace_id}` in it. Becomes trace_url of a call'),
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
    workflowBundle: string | undefined;
    lightSandbox: boolean;
  };
  http: {
    host: string;
    port: number;
    metricsPort: number;
    publicUrl: string;
    trustedProxies: string[];
    corsOrigins: string[];
    /** Whether the console is served at `/`. */
    console: boolean;
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
  /** Roles of a worker process. */
  workerRoles: readonly WorkerRole[];
  signupEnabled: boolean;
  accounts: AccountLimits;
  /** Absent if there are no request limits. */
  requestLimits: { store: 'memory' | 'mysql'; limits: RequestLimits } | undefined;
  encryptionKeys: string;
  /** File storage. */
  storage: StorageConfig;
  /** Maximum size of a contact file in bytes. */
  directoryMaxBytes: number;
  logLevel: string;
  customerUrls: { allowedPrivateHosts: string[]; allowHttp: boolean; webhookTimeoutMs: number };
  llm: {
    apiKey: string | undefined;
    baseUrl: string | undefined;
    model: string;
    prices: PriceList | undefined;
  };
  /**
   * Speech recognition: vendor, the installation's keys by vendor, and URLs that replace the vendors' own.
   */
  stt: {
    provider: 'telnyx' | 'openai';
    model: string | undefined;
    keys: { telnyx: string | undefined; openai: string | undefined };
    urls: { telnyx: string | undefined; openai: string | undefined };
  };
  /**
   * Maximum concurrent spoken calls of an organization, the further ones for incoming calls, and what it may
   * use per day.
   */
  callLimits: {
    calls: number;
    inboundShare: number;
    callsPerDay: number;
    callMinutesPerDay: number;
    quotas: { requestsPerDay: number; voiceMinutesPerDay: number };
  };
  /** URLs that replace the carriers' own, by carrier. Calls made there are simulated. */
  carrierUrls: Readonly<Record<string, string | undefined>>;
  /** Voices: vendor, the installation's voice, and URLs that replace the vendors' own. */
  tts: {
    provider: 'google' | 'openai';
    model: string | undefined;
    voice: string | undefined;
    language: string | undefined;
    google: { hasCredentials: boolean; endpoint: string | undefined };
    openai: { apiKey: string | undefined; baseUrl: string | undefined };
  };
  /** Absent if tracing is off. */
  tracing: TracingConfig | undefined;
}

/** Limits of accounts. */
export interface AccountLimits {
  /** Maximum number of sign-ups within an hour from one network. */
  maxSignupsPerHour: number;
  /** Time without a request after which a session expires. */
  sessionIdleMs: number;
}

/** A bucket takes precedence over a folder. */
export type StorageConfig =
  | { kind: 'none' }
  | { kind: 'folder'; directory: string }
  | { kind: 's3'; bucket: BucketConfig };

export interface BucketConfig {
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Absent for Amazon. */
  endpoint: string | undefined;
  publicEndpoint: string | undefined;
  isPathStyle: boolean;
}

export interface TracingConfig {
  endpoint: string;
  sampler: { name: (typeof samplerNames)[number]; ratio: number };
  /** Contains `{trace_id}`. */
  traceUrl: string | undefined;
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Parses the environment. Throws ConfigError that names all variables at fault, without values of secrets.
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
  return {
    ...processesOf(parsed.data),
    ...limitsOf(parsed.data),
    ...vendorsOf(parsed.data),
  };
}

type Variables = z.output<typeof Environment>;

/** Where the processes listen, what they connect to and keep. */
function processesOf(env: Variables) {
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
      workflowBundle: env.PARLANCE_WORKFLOW_BUNDLE,
      lightSandbox: env.PARLANCE_LIGHT_SANDBOX,
    },
    http: {
      host: env.PARLANCE_HTTP_HOST,
      port: env.PARLANCE_HTTP_PORT,
      metricsPort: env.PARLANCE_METRICS_PORT,
      publicUrl: env.PARLANCE_PUBLIC_URL,
      trustedProxies: env.PARLANCE_TRUSTED_PROXIES,
      corsOrigins: env.PARLANCE_CORS_ORIGINS,
      console: env.PARLANCE_CONSOLE,
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
    encryptionKeys: env.PARLANCE_ENCRYPTION_KEYS,
    storage: readStorage(env),
    logLevel: env.PARLANCE_LOG_LEVEL,
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

/** What customers may do, and how much of it. */
function limitsOf(env: Variables) {
  return {
    signupEnabled: env.PARLANCE_SIGNUP_ENABLED,
    accounts: {
      maxSignupsPerHour: env.PARLANCE_MAX_SIGNUPS_PER_HOUR,
      sessionIdleMs: env.PARLANCE_SESSION_IDLE_HOURS * 3_600_000,
    },
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
    directoryMaxBytes: env.PARLANCE_DIRECTORY_MAX_BYTES,
    customerUrls: {
      allowedPrivateHosts: env.PARLANCE_ALLOWED_PRIVATE_HOSTS,
      allowHttp: env.PARLANCE_ALLOW_HTTP,
      webhookTimeoutMs: env.PARLANCE_MAX_WEBHOOK_TIMEOUT_MS,
    },
    callLimits: {
      calls: env.PARLANCE_CALL_LIMIT,
      inboundShare: env.PARLANCE_INBOUND_SHARE,
      callsPerDay: env.PARLANCE_DEFAULT_MAX_CALLS_PER_DAY,
      callMinutesPerDay: env.PARLANCE_DEFAULT_MAX_CALL_MINUTES_PER_DAY,
      quotas: {
        requestsPerDay: env.PARLANCE_MAX_MODEL_REQUESTS_PER_DAY,
        voiceMinutesPerDay: env.PARLANCE_MAX_VOICE_MINUTES_PER_DAY,
      },
    },
  };
}

/** The vendors of models, speech and calls. */
function vendorsOf(env: Variables) {
  return {
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
  };
}

/** The configuration of a worker. `encryptionKeys` is absent if none of its roles needs them. */
export type WorkerConfig = Omit<Config, 'encryptionKeys'> & { encryptionKeys: string | undefined };

/** Roles that decrypt nothing in the database. */
const keylessRoles: readonly WorkerRole[] = ['import'];

/**
 * Like `readConfig`, for a worker: keys may be absent if none of its roles decrypts. Throws ConfigError.
 */
export function readWorkerConfig(environment: Record<string, string | undefined>): WorkerConfig {
  if (environment['PARLANCE_ENCRYPTION_KEYS']) return readConfig(environment);
  const { encryptionKeys: _, ...config } = readConfig({ ...environment, PARLANCE_ENCRYPTION_KEYS: 'none' });
  // guarantee: keys-only-for-decrypting-roles
  const decrypting = config.workerRoles.filter((role) => !keylessRoles.includes(role));
  if (decrypting.length > 0)
    throw new ConfigError(
      `Configuration is not usable (see .env.example):\n  PARLANCE_ENCRYPTION_KEYS: is not set, but this worker decrypts: it has the roles ${decrypting.join(', ')} (PARLANCE_WORKER_ROLES). Only ${keylessRoles.join(', ')} needs no keys`,
    );
  return { ...config, encryptionKeys: undefined };
}

const bucketVariables = [
  'PARLANCE_STORAGE_S3_BUCKET',
  'PARLANCE_STORAGE_S3_REGION',
  'PARLANCE_STORAGE_S3_ACCESS_KEY_ID',
  'PARLANCE_STORAGE_S3_SECRET_ACCESS_KEY',
] as const;

/** Reads the storage. Throws ConfigError if only some of the variables of a bucket are set. */
function readStorage(env: Variables): StorageConfig {
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

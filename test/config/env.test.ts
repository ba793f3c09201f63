import { describe, expect, test } from '@jest/globals';
import { installationOf } from '../../src/config/installation.ts';
import { llmVariables } from '../../tools/bootstrap/start-environment.mjs';
import { ConfigError, readConfig, readWorkerConfig } from '../../src/config/env.ts';

const min = {
  DATABASE_URL: 'mysql://someone:hunter2@db.internal:3306/parlance',
  PARLANCE_ENCRYPTION_KEYS: 'k1:c2VjcmV0',
};

function faultsOf(
  environment: Record<string, string | undefined>,
  read: (given: typeof environment) => unknown = readConfig,
): string {
  try {
    read(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('the configuration of a process', () => {
  test('requires a database and keys, and has defaults for all other variables', () => {
    expect(readConfig(min)).toMatchObject({
      databaseUrl: min.DATABASE_URL,
      temporal: { address: '127.0.0.1:7233', namespace: 'parlance' },
      http: { port: 8000 },
      customerUrls: { allowedPrivateHosts: [], allowHttp: false },
    });
  });

  test('limits a fresh organization to 10,000 dials and 20,000 minutes of calls per day', () => {
    expect(readConfig(min).callLimits).toMatchObject({ callsPerDay: 10_000, callMinutesPerDay: 20_000 });
    expect(
      readConfig({
        ...min,
        PARLANCE_DEFAULT_MAX_CALLS_PER_DAY: '7',
        PARLANCE_DEFAULT_MAX_CALL_MINUTES_PER_DAY: '8',
      }).callLimits,
    ).toMatchObject({ callsPerDay: 7, callMinutesPerDay: 8 });
  });

  test('names all variables at fault at once', () => {
    const faults = faultsOf({
      PARLANCE_HTTP_PORT: '99999',
      PARLANCE_ALLOW_HTTP: 'perhaps',
      PARLANCE_LOG_LEVEL: 'loud',
    });
    for (const name of [
      'DATABASE_URL',
      'PARLANCE_ENCRYPTION_KEYS',
      'PARLANCE_HTTP_PORT',
      'PARLANCE_ALLOW_HTTP',
      'PARLANCE_LOG_LEVEL',
    ])
      expect(faults).toContain(name);
  });

  const bucket = {
    PARLANCE_STORAGE_S3_BUCKET: 'calls',
    PARLANCE_STORAGE_S3_REGION: 'eu-central-1',
    PARLANCE_STORAGE_S3_ACCESS_KEY_ID: 'id',
    PARLANCE_STORAGE_S3_SECRET_ACCESS_KEY: 'hunter2',
  };

  test('stores files in a bucket, a folder or nowhere; a bucket takes precedence over a folder', () => {
    const kept = {
      kind: 's3',
      bucket: {
        bucket: 'calls',
        region: 'eu-central-1',
        accessKeyId: 'id',
        secretAccessKey: 'hunter2',
        endpoint: undefined,
        publicEndpoint: undefined,
        isPathStyle: false,
      },
    };
    expect(readConfig(min).storage).toEqual({ kind: 'none' });
    expect(readConfig({ ...min, PARLANCE_FILES_DIRECTORY: '/srv/files' }).storage).toEqual({
      kind: 'folder',
      directory: '/srv/files',
    });
    expect(readConfig({ ...min, ...bucket, PARLANCE_FILES_DIRECTORY: '/srv/files' }).storage).toEqual(kept);
  });

  test.each([
    [undefined, true],
    ['false', false],
    ['true', true],
  ])(
    'puts the name of the bucket into the path of a custom endpoint by default (%s)',
    (wanted, isPathStyle) => {
      expect(
        readConfig({
          ...min,
          ...bucket,
          PARLANCE_STORAGE_S3_ENDPOINT: 'https://minio.example.com/',
          PARLANCE_STORAGE_S3_FORCE_PATH_STYLE: wanted,
        }).storage,
      ).toMatchObject({ bucket: { endpoint: 'https://minio.example.com', isPathStyle } });
    },
  );

  test.each(Object.keys(bucket))('refuses a bucket without %s', (name) => {
    expect(faultsOf({ ...min, ...bucket, [name]: '' })).toMatch(
      new RegExp(`${name}: is not set, but PARLANCE_STORAGE_S3_\\w+ is$`),
    );
  });

  test.each(['PARLANCE_STORAGE_S3_ENDPOINT', 'PARLANCE_STORAGE_S3_PUBLIC_ENDPOINT'])(
    'refuses %s without a bucket, even with a folder',
    (name) => {
      const faults = faultsOf({
        ...min,
        PARLANCE_FILES_DIRECTORY: '/srv/files',
        [name]: 'https://minio.example.com',
      });
      for (const missing of Object.keys(bucket))
        expect(faults).toContain(`${missing}: is not set, but ${name} is`);
    },
  );

  test('never shows values in errors', () => {
    expect(faultsOf({ ...min, ...bucket, PARLANCE_STORAGE_S3_REGION: '' })).not.toContain('hunter2');
    expect(
      faultsOf({ DATABASE_URL: 'postgres://someone:hunter2@db/x', PARLANCE_ENCRYPTION_KEYS: 'k1:c2VjcmV0' }),
    ).not.toMatch(/hunter2|c2VjcmV0/);
  });

  test.each(['DATABASE_URL', 'PARLANCE_ENCRYPTION_KEYS'])('counts an empty %s as unset', (name) => {
    expect(faultsOf({ ...min, [name]: '' })).toContain(`${name}: is not set`);
  });

  test('counts an empty port as unset, not as port 0', () => {
    expect(readConfig({ ...min, PARLANCE_HTTP_PORT: '' }).http.port).toBe(8000);
  });

  test('limits a webhook attempt to the time of its activity; the error names the variable and the limit', () => {
    expect(
      readConfig({ ...min, PARLANCE_MAX_WEBHOOK_TIMEOUT_MS: '20000' }).customerUrls.webhookTimeoutMs,
    ).toBe(20_000);
    expect(faultsOf({ ...min, PARLANCE_MAX_WEBHOOK_TIMEOUT_MS: '20001' })).toMatch(
      /PARLANCE_MAX_WEBHOOK_TIMEOUT_MS: must be at most 20000: .*temporal\.yaml/,
    );
    expect(faultsOf({ ...min, PARLANCE_MAX_WEBHOOK_TIMEOUT_MS: '0' })).toContain(
      'PARLANCE_MAX_WEBHOOK_TIMEOUT_MS',
    );
  });

  test('accepts base URLs with http or https, and removes slashes at their end', () => {
    expect(
      readConfig({ ...min, PARLANCE_PUBLIC_URL: 'https://voice.example.com/base//' }).http.publicUrl,
    ).toBe('https://voice.example.com/base');
    expect(
      faultsOf({ ...min, PARLANCE_PUBLIC_URL: 'voice.example.com', TEMPORAL_UI_URL: 'localhost:8233' }),
    ).toMatch(/TEMPORAL_UI_URL: must start with http[^]*PARLANCE_PUBLIC_URL: must start with http/);
  });

  test('uses voices of Google by default, with credentials that its library reads', () => {
    expect(readConfig(min).tts).toEqual({
      provider: 'google',
      model: undefined,
      voice: undefined,
      language: undefined,
      google: { hasCredentials: false, endpoint: undefined },
      openai: { apiKey: undefined, baseUrl: undefined },
    });
    expect(
      readConfig({
        ...min,
        TTS_PROVIDER: 'openai',
        TTS_VOICE: 'nova',
        TTS_LANGUAGE: 'de-DE',
        OPENAI_API_KEY: 'k',
        OPENAI_SPEECH_URL: 'http://127.0.0.1:1/v1/',
        GOOGLE_APPLICATION_CREDENTIALS: '/etc/key.json',
      }).tts,
    ).toMatchObject({
      provider: 'openai',
      voice: 'nova',
      language: 'de-DE',
      google: { hasCredentials: true },
      openai: { apiKey: 'k', baseUrl: 'http://127.0.0.1:1/v1' },
    });
    expect(
      faultsOf({ ...min, TTS_PROVIDER: 'espeak', GOOGLE_TTS_ENDPOINT: 'texttospeech.googleapis.com' }),
    ).toMatch(/TTS_PROVIDER[^]*GOOGLE_TTS_ENDPOINT: must start with http/);
  });

  test('uses speech recognition of Telnyx by default, and requires WebSocket URLs', () => {
    expect(readConfig({ ...min, OPENAI_API_KEY: 'k' }).stt).toEqual({
      provider: 'telnyx',
      model: undefined,
      keys: { telnyx: undefined, openai: 'k' },
      urls: { telnyx: undefined, openai: undefined },
    });
    expect(
      readConfig({
        ...min,
        STT_PROVIDER: 'openai',
        STT_MODEL: 'gpt-transcribe',
        TELNYX_API_KEY: 't',
        TELNYX_STT_URL: 'ws://127.0.0.1:1/x',
      }).stt,
    ).toMatchObject({
      provider: 'openai',
      model: 'gpt-transcribe',
      keys: { telnyx: 't' },
      urls: { telnyx: 'ws://127.0.0.1:1/x' },
    });
    expect(
      faultsOf({ ...min, STT_PROVIDER: 'deepgram', OPENAI_REALTIME_URL: 'https://api.openai.com' }),
    ).toMatch(/STT_PROVIDER[^]*OPENAI_REALTIME_URL: must start with ws/);
  });

  test('allows sign-up and trusts no proxy by default', () => {
    expect(readConfig(min)).toMatchObject({ signupEnabled: true, http: { trustedProxies: [] } });
    expect(
      readConfig({
        ...min,
        PARLANCE_SIGNUP_ENABLED: 'false',
        PARLANCE_TRUSTED_PROXIES: '10.0.0.0/8, ::1,192.0.2.1',
      }),
    ).toMatchObject({ signupEnabled: false, http: { trustedProxies: ['10.0.0.0/8', '::1', '192.0.2.1'] } });
    for (const wrong of ['true', 'proxy.internal', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/', '10.0.0'])
      expect(faultsOf({ ...min, PARLANCE_TRUSTED_PROXIES: wrong })).toContain(
        'PARLANCE_TRUSTED_PROXIES: must be IP addresses or networks',
      );
  });

  test('gives a worker all roles by default', () => {
    expect(readConfig(min).workerRoles).toEqual(['call', 'delivery', 'campaign', 'import']);
    expect(readConfig({ ...min, PARLANCE_WORKER_ROLES: 'campaign, call,call' }).workerRoles).toEqual([
      'call',
      'campaign',
    ]);
    for (const wrong of ['calls', 'call;delivery', 'seat', 'toString'])
      expect(faultsOf({ ...min, PARLANCE_WORKER_ROLES: wrong })).toContain(
        'PARLANCE_WORKER_ROLES: must be a comma-separated list of roles: call, delivery, campaign, import',
      );
  });

  // guarantee: keys-only-for-decrypting-roles
  test('lets a worker without keys start only if none of its roles decrypts', () => {
    for (const keys of [undefined, '']) {
      const given = { DATABASE_URL: min.DATABASE_URL, PARLANCE_ENCRYPTION_KEYS: keys };
      const withRoles = (roles: string) => ({ ...given, PARLANCE_WORKER_ROLES: roles });
      expect(readWorkerConfig(withRoles('import'))).toMatchObject({
        workerRoles: ['import'],
        encryptionKeys: undefined,
      });
      expect(faultsOf(withRoles('import,campaign'), readWorkerConfig)).toMatch(
        /PARLANCE_ENCRYPTION_KEYS: is not set, but this worker decrypts: it has the roles campaign/,
      );
      expect(faultsOf(given, readWorkerConfig)).toMatch(
        /the roles call, delivery, campaign \(PARLANCE_WORKER_ROLES\)\. Only import needs no keys/,
      );
    }
    expect(readWorkerConfig({ ...min, PARLANCE_WORKER_ROLES: 'import' }).encryptionKeys).toBe('k1:c2VjcmV0');
  });

  test('allows only exact origins, in the form that browsers send', () => {
    expect(readConfig(min).http.corsOrigins).toEqual([]);
    expect(
      readConfig({ ...min, PARLANCE_CORS_ORIGINS: 'https://console.example.com, http://localhost:3000' }).http
        .corsOrigins,
    ).toEqual(['https://console.example.com', 'http://localhost:3000']);
    for (const wrong of [
      '*',
      'null',
      'console.example.com',
      'https://console.example.com/',
      'https://console.example.com/app',
      'https://Console.example.com',
      'https://*.example.com',
      'ftp://example.com',
    ])
      expect(faultsOf({ ...min, PARLANCE_CORS_ORIGINS: wrong })).toContain(
        'PARLANCE_CORS_ORIGINS: must be origins',
      );
  });

  test('limits requests in memory by default; absent groups keep their defaults', () => {
    const defaults = {
      store: 'memory',
      limits: {
        key: { reads: 3000, writes: 1200, calls: 300 },
        organization: { reads: 6000, writes: 2400, calls: 600 },
        network: { downloads: 600 },
      },
    };
    expect(readConfig(min).requestLimits).toEqual(defaults);
    expect(readConfig({ ...min, PARLANCE_RATE_LIMIT_STORE: 'off' }).requestLimits).toBeUndefined();
    expect(
      readConfig({
        ...min,
        PARLANCE_RATE_LIMIT_STORE: 'mysql',
        PARLANCE_KEY_RATE_LIMITS: ' calls=5 , ',
        PARLANCE_DOWNLOAD_RATE_LIMIT: '9',
      }).requestLimits,
    ).toEqual({
      store: 'mysql',
      limits: { ...defaults.limits, key: { reads: 3000, writes: 1200, calls: 5 }, network: { downloads: 9 } },
    });
    for (const wrong of ['calls', 'calls=', 'calls=0', 'calls=-1', 'calls=1.5', 'dials=5', 'calls=5;reads=6'])
      expect(faultsOf({ ...min, PARLANCE_ORGANIZATION_RATE_LIMITS: wrong })).toContain(
        'PARLANCE_ORGANIZATION_RATE_LIMITS: must be a list such as reads=6000,writes=2400,calls=600, each at least 1',
      );
    expect(
      faultsOf({ ...min, PARLANCE_RATE_LIMIT_STORE: 'redis', PARLANCE_DOWNLOAD_RATE_LIMIT: '0' }),
    ).toMatch(/PARLANCE_RATE_LIMIT_STORE[^]*PARLANCE_DOWNLOAD_RATE_LIMIT/);
  });

  test('traces nothing without a receiver, whatever the other tracing variables say', () => {
    expect(
      readConfig({
        ...min,
        OTEL_TRACES_SAMPLER: 'always_on',
        PARLANCE_TRACE_URL: 'https://traces.example.com/{trace_id}',
      }).tracing,
    ).toBeUndefined();
    expect(readConfig({ ...min, OTEL_EXPORTER_OTLP_ENDPOINT: '' }).tracing).toBeUndefined();
  });

  test("follows OpenTelemetry's own variables", () => {
    const env = {
      ...min,
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.1',
    };
    expect(readConfig(env).tracing).toEqual({
      endpoint: 'http://collector:4318',
      sampler: { name: 'traceidratio', ratio: 0.1 },
      traceUrl: undefined,
    });
    expect(
      readConfig({ ...min, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }).tracing?.sampler,
    ).toEqual({ name: 'parentbased_always_on', ratio: 1 });
    expect(
      faultsOf({
        ...env,
        OTEL_TRACES_SAMPLER: 'jaeger_remote',
        OTEL_TRACES_SAMPLER_ARG: '2',
        PARLANCE_TRACE_URL: 'https://traces.example.com',
      }),
    ).toMatch(
      /OTEL_TRACES_SAMPLER:[^]*OTEL_TRACES_SAMPLER_ARG:[^]*PARLANCE_TRACE_URL: must be a URL that contains \{trace_id\}/,
    );
  });

  test('serves a console unless told otherwise', () => {
    expect(readConfig(min).http.console).toBe(true);
    expect(readConfig({ ...min, PARLANCE_CONSOLE: 'false' }).http.console).toBe(false);
  });

  test.each<[string, Record<string, string | undefined>, object]>([
    ['no vendor', {}, { llm: false, stt: false, tts: false, carrier: false }],
    [
      'real vendors',
      {
        OPENAI_API_KEY: 'sk-1',
        TELNYX_API_KEY: 'KEY1',
        GOOGLE_TTS_ENDPOINT: 'https://eu-texttospeech.googleapis.com',
      },
      { llm: false, stt: false, tts: false, carrier: false },
    ],
    [
      'what npm start sets without keys',
      {
        ...llmVariables({}, 8002),
        TELNYX_API_URL: 'http://127.0.0.1:8005/v2',
        TELNYX_STT_URL: 'ws://127.0.0.1:8006',
        TELNYX_API_KEY: 'simulated',
        GOOGLE_TTS_ENDPOINT: 'http://127.0.0.1:8007',
      },
      { llm: true, stt: true, tts: true, carrier: true },
    ],
    [
      'the simulated model of the compose file for all parts of OpenAI',
      {
        OPENAI_API_KEY: 'simulated',
        OPENAI_BASE_URL: 'http://simulated-llm:9400/v1',
        STT_PROVIDER: 'openai',
        TTS_PROVIDER: 'openai',
      },
      { llm: true, stt: true, tts: true, carrier: false },
    ],
  ])('says which parts are simulated: %s', (_what, env, simulated) => {
    expect(installationOf(readConfig({ ...min, ...env })).simulated).toEqual(simulated);
  });

  test('links Temporal UI and the trace viewer that it knows', () => {
    expect(installationOf(readConfig(min)).links).toEqual({ temporalUi: null, traces: null });
    expect(
      installationOf(
        readConfig({
          ...min,
          TEMPORAL_UI_URL: 'http://localhost:8233/',
          TEMPORAL_NAMESPACE: 'calls',
          OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
          PARLANCE_TRACE_URL: 'https://traces.example.com/trace/{trace_id}',
        }),
      ).links,
    ).toEqual({
      temporalUi: 'http://localhost:8233/namespaces/calls/workflows',
      traces: 'https://traces.example.com',
    });
  });

  test('reads a list with spaces and empty items', () => {
    expect(
      readConfig({ ...min, PARLANCE_ALLOWED_PRIVATE_HOSTS: ' a.internal, ,127.0.0.1:9000,' }).customerUrls
        .allowedPrivateHosts,
    ).toEqual(['a.internal', '127.0.0.1:9000']);
  });
});

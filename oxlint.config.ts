import { defineConfig } from 'oxlint';

/**
 * Allowed imports (docs/architecture.md, "Layers"). `values` are folders of src and packages whose values may
 * be imported, `types` those whose types may be. `contract/data` is plain data, part of the contract. A
 * composition root (`main.ts`, `*-main.ts`, `compose.ts`) may import everything. Within a layer, folders import each
 * other one way (test/architecture/folders.test.ts).
 */
const layers: Record<string, { values: string[]; types?: string[]; packages?: string[] }> = {
  contract: { values: ['contract'], packages: ['zod', 'zod-openapi', 'moment-timezone'] },
  domain: {
    values: ['domain', 'contract/data'],
    types: ['contract'],
    packages: ['moment-timezone', 'libphonenumber-js', 'otpauth'],
  },
  runtime: {
    values: ['runtime'],
    packages: [
      'pino',
      'prom-client',
      '@opentelemetry/api',
      '@opentelemetry/context-async-hooks',
      '@opentelemetry/core',
      '@opentelemetry/exporter-trace-otlp-http',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-trace',
    ],
  },
  config: { values: ['config', 'domain'], packages: ['zod', 'yaml'] },
  db: {
    values: ['db', 'domain', 'runtime'],
    types: ['contract'],
    packages: ['typeorm', 'mysql2', 'rate-limiter-flexible'],
  },
  providers: {
    values: ['providers', 'domain', 'runtime', 'contract/data'],
    types: ['contract'],
    packages: [
      'openai',
      'undici',
      'ipaddr.js',
      'standardwebhooks',
      'zod',
      '@node-rs/argon2',
      'jose',
      'telnyx',
      '@aws-sdk/client-s3',
      '@aws-sdk/s3-request-presigner',
      '@google-cloud/text-to-speech',
      '@grpc/grpc-js',
      'google-gax',
      'ws',
      'file-type',
      'iconv-lite',
      'saxes',
      'yauzl',
    ],
  },
  temporal: {
    values: ['temporal', 'workflows', 'domain', 'runtime'],
    types: ['config', 'contract'],
    packages: ['@temporalio/client', '@temporalio/common', '@temporalio/proto'],
  },
  services: {
    values: ['services', 'contract', 'domain', 'db', 'runtime'],
    types: ['providers', 'temporal'],
    packages: ['typeorm', 'zod', 'csv-stringify', 'exceljs', 'fast-json-patch'],
  },
  api: {
    values: ['api', 'contract', 'services', 'domain', 'runtime'],
    types: ['config'],
    packages: ['express', 'zod', 'helmet', 'zod-openapi', 'busboy', 'sirv'],
  },
  workflows: {
    values: ['workflows', 'domain'],
    types: ['contract', 'activities'],
    packages: ['@temporalio/workflow'],
  },
  activities: {
    values: ['activities', 'services', 'domain', 'runtime'],
    types: ['providers', 'contract'],
    packages: ['@temporalio/activity', '@temporalio/common'],
  },
  cli: { values: ['cli'], types: ['contract'], packages: ['commander', 'diff', 'standardwebhooks'] },
  media: {
    values: ['media', 'services', 'domain', 'runtime'],
    types: ['config', 'providers', 'activities', 'contract'],
    packages: ['ws', '@temporalio/activity', '@temporalio/common', '@temporalio/worker'],
  },
  worker: {
    values: ['worker', 'activities', 'services', 'domain', 'runtime'],
    types: ['config', 'providers'],
    packages: ['@temporalio/worker', '@temporalio/common', '@temporalio/activity'],
  },
};

const allPackages = [
  ...new Set([
    ...Object.values(layers).flatMap(({ packages = [] }) => packages),
    '@temporalio/testing',
    'protobufjs',
    'yaml',
  ]),
];

/** A folder, as files up to four levels below its parent import it. */
const from = (path: string) => ['../', '../../', '../../../', '../../../../'].map((up) => `${up}${path}`);

function importPatterns(folder: string, { values, types = [], packages = [] }: (typeof layers)[string]) {
  const others = Object.keys(layers).filter((each) => each !== folder && !values.includes(each));
  const closed = others.filter((each) => !types.includes(each));
  const message = `src/${folder} may import values only from ${values.join(', ')} (docs/architecture.md, "Layers")`;
  return [
    {
      group: [
        ...closed.flatMap((each) => from(`${each}/**`)),
        '**/emulators/**',
        '**/test/**',
        '**/tools/**',
      ],
      message,
      allowTypeImports: false,
    },
    ...(types.length === 0
      ? []
      : [
          {
            group: [
              ...types.flatMap((each) => from(`${each}/**`)),
              ...(values.includes('contract/data') ? from('contract/data/**').map((each) => `!${each}`) : []),
            ],
            message: `${message}; types of ${types.join(', ')} too`,
            allowTypeImports: true,
          },
        ]),
    ...allPackages
      .filter((each) => !packages.includes(each))
      .map((each) => ({
        group: [each, `${each}/*`],
        message: `src/${folder} does not use ${each}`,
        allowTypeImports: false,
      })),
    ...(folder === 'services'
      ? []
      : [
          {
            group: [...from('services/*/**'), ...from('services/*/index.ts').map((each) => `!${each}`)],
            message: 'Import a context of src/services through its index.ts',
            allowTypeImports: false,
          },
        ]),
  ];
}

/** The contexts of src/services, from bottom to top. Each imports those before it through their index.ts. */
const contexts = [
  'kernel',
  'identity',
  'models',
  'agents',
  'contacts',
  'webhooks',
  'media',
  'telephony',
  'calls',
  'campaigns',
  'operations',
  'data-lifecycle',
];

function contextOverrides() {
  const base = importPatterns('services', layers['services'] ?? { values: [] });
  return contexts.map((name, place) => {
    const patterns = [
      ...base,
      ...contexts.slice(place + 1).map((above) => ({
        group: from(`${above}/**`),
        message: `src/services/${name} may not import ${above}, which is above it (docs/architecture.md, "Layers")`,
        allowTypeImports: false,
      })),
      {
        group: contexts
          .slice(0, place)
          .flatMap((below) => [
            ...from(`${below}/**`),
            ...from(`${below}/index.ts`).map((each) => `!${each}`),
          ]),
        message: 'Import another context through its index.ts',
        allowTypeImports: false,
      },
      {
        group: from('index.ts'),
        message: 'Files of a context import each other directly',
        allowTypeImports: false,
      },
    ].filter(({ group }) => group.length > 0);
    return {
      files: [`src/services/${name}/**/*.ts`],
      rules: { 'no-restricted-imports': ['error', { patterns }] as const },
    };
  });
}

/** The console uses types of the contract, the pure rules of graphs and templates, and the outcomes of attempts. */
const consoleImports = [
  {
    group: [
      '**/src/**',
      '!**/src/contract/**',
      '!**/src/domain/graph/**',
      '!**/src/domain/template/**',
      '!**/src/domain/campaign/outcome.ts',
    ],
    message:
      'The console imports only src/contract, src/domain/graph, src/domain/template and the outcomes of attempts',
    allowTypeImports: false,
  },
  {
    group: ['**/src/contract/**'],
    message: 'The console imports only types of src/contract',
    allowTypeImports: true,
  },
  { group: ['node:*'], message: 'The console runs in browsers', allowTypeImports: false },
];

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'import', 'promise', 'oxc', 'node', 'jest'],
  categories: { correctness: 'error', suspicious: 'error' },
  env: { node: true, es2024: true },
  ignorePatterns: ['node_modules', '.parlance', 'dist'],
  rules: {
    'oxc/no-async-endpoint-handlers': 'off',
    'no-underscore-dangle': 'off',
    'unicorn/require-module-specifiers': 'off',
    'no-await-in-loop': 'off',
    'typescript/consistent-return': 'off', // tsc's noImplicitReturns says the same and understands exhaustive switches
    'no-shadow': 'off',
    // There are no enums (erasableSyntaxOnly), and these two take a quarter of the time of the whole lint.
    'typescript/no-unsafe-enum-assignment': 'off',
    'typescript/no-unsafe-enum-comparison': 'off',
    'no-unused-vars': [
      'error',
      { ignoreRestSiblings: true, argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
    ],
    'unicorn/consistent-function-scoping': 'off',
    'import/no-cycle': 'error',
    'import/no-default-export': 'error',
    'no-console': 'error',
    'node/no-process-env': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'unicorn/filename-case': ['error', { case: 'kebabCase' }],
    'no-empty': 'error',
    'max-params': ['error', { max: 4 }],
    'max-depth': ['error', { max: 4 }],
  },
  overrides: [
    ...Object.entries(layers).map(([folder, layer]) => ({
      files: [`src/${folder}/**/*.ts`],
      rules: { 'no-restricted-imports': ['error', { patterns: importPatterns(folder, layer) }] as const },
    })),
    {
      files: ['console/**/*.{ts,tsx}'],
      plugins: ['typescript', 'unicorn', 'import', 'promise', 'oxc', 'react', 'jsx-a11y'],
      env: { browser: true, es2024: true },
      rules: {
        'no-restricted-imports': ['error', { patterns: consoleImports }] as const,
        'react/react-in-jsx-scope': 'off',
        'import/no-unassigned-import': ['error', { allow: ['**/*.css'] }] as const,
        // Answers are typed by the contract, which the server's tests check, and not parsed.
        'typescript/no-unsafe-type-assertion': 'off',
        'import/no-default-export': 'off',
        'jsx-a11y/no-noninteractive-tabindex': 'off', // whatever scrolls must be reached by keyboard
        'jsx-a11y/control-has-associated-label': 'off', // axe judges the page itself
        'react/incompatible-library': 'off',
        'import/no-named-as-default-member': 'off', // packages with one export of everything
        'jsx-a11y/prefer-tag-over-role': 'off', // a live region is no <output>
        'jsx-a11y/no-autofocus': 'off', // dialogs begin where a person types
        'react/no-unstable-nested-components': ['error', { allowAsProps: true }] as const,
        'react/set-state-in-effect': 'off', // reading the page after the first paint needs it
      },
    },
    { files: ['console/public/**'], rules: { 'unicorn/require-post-message-target-origin': 'off' } },
    { files: ['console/build/**', 'console/vite.config.ts'], rules: { 'no-restricted-imports': 'off' } },
    ...contextOverrides(),
    {
      files: ['src/**/main.ts', 'src/**/*-main.ts', 'src/**/compose.ts'],
      rules: { 'no-restricted-imports': 'off' },
    },
    {
      files: [
        'src/config/read-env.ts',
        'src/cli/main.ts',
        'test/support/**',
        'tools/**',
        'emulators/**/main.ts',
      ],
      rules: { 'node/no-process-env': 'off' },
    },
    { files: ['tools/**', 'emulators/**/main.ts'], rules: { 'no-console': 'off' } },
    {
      files: ['*.config.ts', '*.config.mjs', 'test/support/{test,console}-run*.mjs'],
      rules: { 'import/no-default-export': 'off' },
    },
    {
      files: ['test/**'],
      rules: {
        'jest/expect-expect': 'error',
        'jest/no-focused-tests': 'error',
        'jest/no-disabled-tests': 'error',
      },
    },
    // Waiting for words on the page is an expectation.
    { files: ['test/console/**'], rules: { 'jest/expect-expect': 'off' } },
  ],
});

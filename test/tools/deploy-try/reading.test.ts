import { describe, expect, test } from '@jest/globals';
import { atPlaces, interpolate, readCompose, startOrder } from '../../../tools/deploy-try/compose-file.mjs';
import { onThisMachine } from '../../../tools/deploy-try/container.mjs';
import { readStages } from '../../../tools/deploy-try/image.mjs';
import { argumentsIn, changesSaid } from '../../../tools/deploy-try/service.mjs';

describe('a variable of a compose file', () => {
  test("is the operator's value, else the default, else empty; $$ is a dollar", () => {
    expect(interpolate('${A:-one}/${B:-two}/${C}/$$A', { A: 'set', C: '' })).toBe('set/two//$A');
  });

  test('that is required but unset is an error with its name', () => {
    expect(() => interpolate('${KEY:?set KEY}', { KEY: '' })).toThrow('KEY is not set: set KEY');
  });
});

describe('the services of a compose file', () => {
  const text = [
    'x-base: &base',
    '  environment: { URL: "http://db:1/${NAME}" }',
    'services:',
    '  app: { <<: *base, depends_on: { task: { condition: done } } }',
    '  task: { <<: *base, depends_on: [db] }',
    '  db: { image: db }',
  ].join('\n');
  const services = readCompose(text, { NAME: 'n' });

  test('have what is merged into them, with variables replaced', () => {
    expect(services.app.environment).toEqual({ URL: 'http://db:1/n' });
  });

  test('start after those they depend on', () => {
    expect(startOrder(services)).toEqual(['db', 'task', 'app']);
    expect(() => startOrder({ a: { depends_on: ['b'] }, b: { depends_on: ['a'] } })).toThrow(
      'a needs b needs a',
    );
  });

  test('get the addresses of this machine instead of those of the network', () => {
    expect(atPlaces(services.app, { 'db:1': '127.0.0.1:2' }).environment.URL).toBe('http://127.0.0.1:2/n');
  });
});

test('a path below a mount becomes a path of the project', () => {
  const [shell, script] = onThisMachine(['sh', '/etc/x/run.sh'], {
    volumes: ['data:/etc', './deploy/temporal:/etc/x:ro'],
  });
  expect(shell).toBe('sh');
  expect(script).toMatch(/[^.]\/deploy\/temporal\/run\.sh$/);
});

test('an image has what its stage copies, also from other stages, installs and builds, and the cache of npm is never cleaned', () => {
  const dockerfile = [
    'FROM node AS page',
    'WORKDIR /srv/app',
    'RUN node build.js page',
    'FROM node AS service',
    'COPY a b ./',
    'COPY --from=page /srv/app/dist ./dist',
    'RUN npm install --omit=dev && npm cache clean --force',
    'RUN node bundle.ts > bundle.js',
    'CMD ["node", "x.ts"]',
    'FROM service AS other',
    'COPY c ./c',
  ].join('\n');
  expect(readStages(dockerfile)).toEqual({
    page: { workdir: '/srv/app', copies: [], runs: [['node', 'build.js', 'page']], command: null },
    service: {
      workdir: '/',
      copies: [
        { stage: undefined, from: ['a', 'b'], to: './' },
        { stage: 'page', from: ['/srv/app/dist'], to: './dist' },
      ],
      runs: [['npm', 'install', '--omit=dev']],
      command: ['node', 'x.ts'],
    },
    other: { workdir: '/', copies: [{ stage: undefined, from: ['c'], to: './c' }], runs: [], command: null },
  });
});

test('the file of a command is that of the image, behind the options of Node', () => {
  expect(argumentsIn('/image', ['node', '--max-old-space-size=160', 'src/main.ts', 'x'])).toEqual([
    '--max-old-space-size=160',
    '/image/src/main.ts',
    'x',
  ]);
});

test('the changes of a task are the list in its log', () => {
  expect(changesSaid('for people\n{"msg":"a"}\n{"changes":["x"]}\n')).toEqual(['x']);
  expect(changesSaid('{"msg":"a","migrations":[]}')).toEqual([]);
  expect(changesSaid('{"msg":"a"}')).toBeNull();
});

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readUsableProfiles } from '../../../src/cli/profile/profiles.ts';
import { keepDevelopmentProfile } from '../../../tools/bootstrap/development-profile.mjs';
import { readCommand } from '../../../tools/bootstrap/launch.mjs';

const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
);

describe('the scripts of package.json', () => {
  test.each(Object.entries(scripts))('%s starts on a recent enough Node', (_, command) => {
    for (const part of command.split(' && '))
      expect(part).toMatch(
        /^(exec )?node (tools\/bootstrap\/run\.mjs .+|(tools\/\S+\.mjs))$|^npm run --silent jest -- /,
      );
  });

  test('pass options of Node before the script and arguments after it', () => {
    expect(readCommand(['--a', '--b=c', 'src/main.ts', '--d', 'e'])).toEqual({
      options: ['--a', '--b=c'],
      script: 'src/main.ts',
      rest: ['--d', 'e'],
    });
  });
});

describe('the command line after npm start', () => {
  const home = mkdtempSync(join(tmpdir(), 'parlance-test-'));
  const file = join(home, 'cli-profile.json');
  const environment = { XDG_CONFIG_HOME: home, PARLANCE_DEVELOPMENT_PROFILE: file };

  test('uses its address and key while no profile is stored, and the stored one from then on', async () => {
    keepDevelopmentProfile({ apiUrl: 'http://localhost:8000', apiKey: null }, file);
    expect((await readUsableProfiles(environment)).current).toBeNull();
    keepDevelopmentProfile({ apiUrl: 'http://localhost:8000', apiKey: 'prl_1' }, file);
    expect(await readUsableProfiles(environment)).toEqual({
      current: 'development',
      profiles: { development: { url: 'http://localhost:8000', apiKey: 'prl_1' } },
    });
    expect((await readUsableProfiles({ XDG_CONFIG_HOME: home })).current).toBeNull();

    const stored = { current: 'default', profiles: { default: { url: 'https://p.example', api_key: 'k' } } };
    mkdirSync(join(home, 'parlance'));
    writeFileSync(join(home, 'parlance', 'config.json'), JSON.stringify(stored), { mode: 0o600 });
    expect(await readUsableProfiles(environment)).toMatchObject({ current: 'default' });
    rmSync(home, { recursive: true });
  });
});

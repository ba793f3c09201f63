import { expect, test } from '@jest/globals';
import { agentName } from '../../../src/domain/person/agent-name.ts';

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  [`${windows} Chrome/140.0.0.0 Safari/537.36`, 'Chrome on Windows'],
  [`${windows} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, 'Edge on Windows'],
  [`${windows} Chrome/140.0.0.0 Safari/537.36 OPR/120.0.0.0`, 'Opera on Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari on iOS',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  ['Firefox/1', 'Firefox'],
  ['curl/8.5.0', 'curl'],
  ['parlance-cli/0.1.0', 'parlance-cli'],
  ['x'.repeat(5000), 'x'.repeat(64)],
  ['<script>', null],
  ['', null],
  [undefined, null],
])('the client %j is named %j', (header, name) => {
  expect(agentName(header)).toBe(name);
});

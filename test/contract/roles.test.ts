import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { roles } from '../../src/contract/data/scopes.ts';
import type { Route } from '../../src/contract/route.ts';
import { routes } from '../../src/contract/routes.ts';
import { permits } from '../../src/domain/keys/permits.ts';
import { scopesOfRoles } from '../../src/domain/people/roles.ts';

/** `•` = may call it, `masked` = may call it and sees no numbers, words and values. */
function cell(route: Route & { scope: string }, role: (typeof roles)[number]): string {
  const granted = scopesOfRoles[role];
  if (!permits(granted, route.scope)) return '–';
  return permits(granted, 'people:read') || route.scope === 'account:write' ? '•' : 'masked';
}

const isGuarded = (entry: [string, Route]): entry is [string, Exclude<Route, { auth: 'none' }>] =>
  entry[1].auth !== 'none';

test('what each role may call is the table of roles.txt', () => {
  const lines = Object.entries<Route>(routes)
    .filter(isGuarded)
    .map(([name, route]) =>
      [name.padEnd(34), ...roles.map((role) => cell(route, role).padEnd(17))].join('').trimEnd(),
    );
  const head = ['route'.padEnd(34), ...roles.map((role) => role.padEnd(17))].join('').trimEnd();
  const table = `${[head, ...lines].join('\n')}\n`;
  expect(table).toBe(readFileSync(new URL('roles.txt', import.meta.url), 'utf8'));
});

import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { Scope } from '../../src/contract/data/scopes.ts';
import type { Route } from '../../src/contract/route.ts';
import { routes, type RouteName } from '../../src/contract/routes.ts';
import { scopesOfRoles } from '../../src/domain/people/roles.ts';
import { routeNames } from '../support/route-requests.ts';

/** What sends changes and is opened by a control elsewhere that names the scope, if its users do not. */
const openers: Readonly<Record<string, readonly string[]>> = {
  'campaigns/new-campaign.tsx NewCampaign': ['campaigns/new-campaign.tsx CheckLine'],
  'call/erasing.tsx useErasing': ['call/erasing.tsx MoreMenu'],
  'contacts/blocked-dialogs.tsx UnblockNumber': ['contacts/blocked.tsx Numbers'],
  'editor/rail/tester.ts createTester': [
    'editor/bar.tsx TestButton',
    'editor/editor.tsx Strip',
    'editor/editor.tsx useKeys',
  ],
};

/** Routes that no screen of the console uses, by the reason. */
const unused: Readonly<Record<string, readonly RouteName[]>> = {
  'It is for programs: triggers, clients and other interfaces of Dograh.': [
    'callByPath',
    'callByPathTest',
    'callByAgent',
    'callByAgentTest',
    'getConfigurationDefaults',
    'getUserConfiguration',
    'saveUserConfiguration',
    'getAuthUser',
    'getNodeType',
  ],
  'The console reads it as a stream (console/src/live).': ['streamEvents'],
  'It is for operators and their tools.': [
    'getActiveCalls',
    'getAutoscaleMetric',
    'getLiveness',
    'getReadiness',
  ],
  'It is a page or a document of its own, which a link opens.': [
    'getDescription',
    'getReference',
    'getReferenceAsset',
    'downloadArtifact',
    'readPublicFile',
    'uploadFile',
  ],
  'A list, a page of it or another request has the same, or does it better.': [
    'countWorkflows',
    'summarizeWorkflows',
    'listCampaignRuns',
    'getPhoneNumber',
    'getCredential',
    'getFileMetadata',
    'getCurrentUsage',
    'getDailyReport',
    'downloadWorkflowReport',
    'presignUpload',
  ],
  'The editor has the rules of the service itself; a change makes the draft.': [
    'validateDefinition',
    'validateWorkflow',
    'createWorkflowDraft',
  ],
  'The service answers the same to everybody: it has no trunks, documents or prices of its own.': [
    'listTrunks',
    'presignDocument',
    'processDocument',
    'getDocument',
    'deleteDocument',
    'searchDocuments',
    'previewModelMigration',
    'migrateModels',
  ],
  'Its screen is not built yet.': [
    'presignRecordings',
    'registerRecordings',
    'renameRecording',
    'deleteRecording',
  ],
};

const roleScopes = Object.values(scopesOfRoles);
const sources = globSync('console/src/**/*.{ts,tsx}').map((file) => ({
  file,
  text: readFileSync(file, 'utf8'),
}));

describe('every route', () => {
  const asked = sources.flatMap(({ text }) => asksOf(text));

  test('is used by a screen of the console, or has a reason why none does', () => {
    const missing = routeNames.filter((name) => !asked.some((ask) => isAskFor(ask, routes[name])));
    expect(missing.toSorted()).toEqual(Object.values(unused).flat().toSorted());
  });
});

describe('every change that a screen sends', () => {
  const parts = sources.flatMap(({ file, text }) => partsOf(file, text));

  test('is offered by a control that names the scope of its route, or only by parts that do', () => {
    const unchecked = parts.flatMap((part) =>
      part.sends
        .filter((scope) => !isChecked(part, scope))
        .map((scope) => `${part.file} ${part.name}: ${scope}`),
    );
    expect(unchecked).toEqual([]);
  });

  function isChecked(part: Part, scope: Scope, seen: readonly Part[] = []): boolean {
    if (part.text.includes(`'${scope}'`) || part.text.includes(`"${scope}"`)) return true;
    const isOwnControl = /^[A-Z]/.test(part.name) && !/<(Dialog|FormDialog|Confirm)\b/.test(part.text);
    if (isOwnControl && part.sends.includes(scope)) return false;
    const opening = openers[placeOf(part)]?.map((place) => parts.find((each) => placeOf(each) === place));
    if (opening !== undefined)
      return opening.every((each) => each !== undefined && isChecked(each, scope, [part]));
    const users = parts.filter((user) => user !== part && !seen.includes(user) && isUsedBy(part, user));
    return users.length > 0 && users.every((user) => isChecked(user, scope, [...seen, part]));
  }
});

/** A function or component of the console. */
interface Part {
  file: string;
  name: string;
  text: string;
  /** What its file imports. */
  imports: string;
  /** Scopes of the changes that it sends, of those that not every role has. */
  sends: readonly Scope[];
}

const placeOf = ({ file, name }: Part): string => `${file.replace('console/src/screens/', '')} ${name}`;

function partsOf(file: string, source: string): Part[] {
  const starts = [...source.matchAll(/^(?:export )?(?:async )?(?:function|const) (\w+)/gm)];
  return starts.map(({ index, 1: name = '' }, at) => {
    const end = starts[at + 1]?.index ?? source.length;
    const sent = asksOf(source).filter((ask) => ask.method !== 'get' && ask.at >= index && ask.at < end);
    const scopes = sent.flatMap((ask) =>
      routeNames.filter((name) => isAskFor(ask, routes[name])).flatMap(scopeOf),
    );
    return {
      file,
      name,
      text: source.slice(index, end),
      imports: source.slice(0, starts[0]?.index),
      sends: [...new Set(scopes)].filter((scope) => roleScopes.some((each) => !each.includes(scope))),
    };
  });
}

function scopeOf(name: RouteName): Scope[] {
  const { scope }: Route = routes[name];
  return scope === undefined ? [] : [scope];
}

function isUsedBy({ file, name }: Part, user: Part): boolean {
  const word = new RegExp(String.raw`\b${name}\b`);
  if (!word.test(user.text)) return false;
  const place = `/${file.split('/').at(-1)}'`;
  return user.file === file || (user.imports.includes(place) && word.test(user.imports));
}

function isAskFor(
  ask: { method: string; parts: readonly string[] },
  { method, path }: { method: string; path: string },
): boolean {
  const parts = path.split('/');
  return (
    ask.method === method &&
    ask.parts.length === parts.length &&
    ask.parts.every((part, index) => part === '*' || part === parts[index])
  );
}

/** The requests that a source names: `get('/tools/')`, ``call('put', `${one}/reactivate`)``, `saveFile('/report')`. */
function asksOf(source: string): { method: string; parts: string[]; at: number }[] {
  const constants = new Map(
    [...source.matchAll(/\bconst (\w+) =\s+(['`][^'`]*['`])/g)].map(([, name = '', text = '']) => [
      name,
      text,
    ]),
  );
  const pathOf = (expression: string): string =>
    (constants.get(expression) ?? expression).replaceAll(/\$\{([^}]*)\}/g, (_, name: string) => {
      const text = constants.get(name);
      return text === undefined ? '*' : pathOf(text).slice(1, -1);
    });
  const asks = source.matchAll(
    /(?<!')\b(?:get|getTagged|saveFile|(upload)<\w+>|(?:call|send)\(\s*'(\w+)',)\s*\(?\s*(\w+\b|'[^']*'|`[^`]*`)/g,
  );
  return [...asks].flatMap(({ index, 1: upload, 2: named, 3: expression = '' }) => {
    const method = named ?? (upload === undefined ? 'get' : 'post');
    const path = pathOf(expression).slice(1, -1).replace(/\?.*$/, '');
    // `report${query}` is `report`.
    const parts = path.split('/').map((part) => (part === '*' ? part : part.replace(/\*$/, '')));
    return path.startsWith('/') ? [{ method, parts, at: index }] : [];
  });
}

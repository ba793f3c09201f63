import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { routes, type RouteName } from '../../src/contract/routes.ts';
import { routeNames } from '../support/route-requests.ts';

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
    'getModelPricing',
    'presignRecordings',
    'registerRecordings',
    'renameRecording',
    'deleteRecording',
  ],
};

describe('every route', () => {
  const asked = globSync('console/src/**/*.{ts,tsx}').flatMap((file) => asksOf(readFileSync(file, 'utf8')));

  test('is used by a screen of the console, or has a reason why none does', () => {
    const missing = routeNames.filter((name) => !isAsked(routes[name]));
    expect(missing.toSorted()).toEqual(Object.values(unused).flat().toSorted());
  });

  function isAsked({ method, path }: { method: string; path: string }): boolean {
    const parts = path.split('/');
    return asked.some(
      (ask) =>
        ask.method === method &&
        ask.parts.length === parts.length &&
        ask.parts.every((part, index) => part === '*' || part === parts[index]),
    );
  }
});

/** The requests that a source names: `get('/tools/')`, ``call('put', `${one}/reactivate`)``, `saveFile('/report')`. */
function asksOf(source: string): { method: string; parts: string[] }[] {
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
  return [...asks].flatMap(([, upload, named, expression = '']) => {
    const method = named ?? (upload === undefined ? 'get' : 'post');
    const path = pathOf(expression).slice(1, -1).replace(/\?.*$/, '');
    // `report${query}` is `report`.
    const parts = path.split('/').map((part) => (part === '*' ? part : part.replace(/\*$/, '')));
    return path.startsWith('/') ? [{ method, parts }] : [];
  });
}

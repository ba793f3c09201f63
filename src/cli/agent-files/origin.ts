import { UsageError } from '../failures.ts';
import { isObject, own, ownText } from '../json.ts';
import { stableJson } from './stable-json.ts';

/**
 * Records the state of the server's agent at the last pull or push. It should be committed with the agent.
 */
export const originFile = 'origin.json';

/** The agent on one server. `digest` is that of its content at the last pull or push. */
export interface Origin {
  server: string;
  id: number;
  version: number;
  digest: string;
}

/** By uuid of the agent. A folder may have agents on several servers, with different uuids. */
export type Origins = Readonly<Record<string, Origin>>;

export const renderOrigins = (origins: Origins): string => stableJson(origins);

/** Parses `origin.json`. Throws UsageError. */
export function parseOrigins(text: string, where: string): Origins {
  try {
    const value: unknown = JSON.parse(text);
    return Object.fromEntries(
      Object.entries(isObject(value) ? value : {}).map(([uuid, each]) => [uuid, readOrigin(each)]),
    );
  } catch {
    throw new UsageError(
      `${where} cannot be read`,
      'Pull and push write this file. After a merge conflict take either side; `parlance agents diff` then shows the differences.',
    );
  }
}

function readOrigin(value: unknown): Origin {
  const [server, id, version, digest] = [
    ownText(value, 'server'),
    own(value, 'id'),
    own(value, 'version'),
    ownText(value, 'digest'),
  ];
  if (server === undefined || typeof id !== 'number' || typeof version !== 'number' || digest === undefined)
    throw new TypeError('not an origin');
  return { server, id, version, digest };
}

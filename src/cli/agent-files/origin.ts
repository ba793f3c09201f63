import { UsageError } from '../failures.ts';
import { isObject, own, ownText } from '../json.ts';
import { stableJson } from './stable-json.ts';

/**
 * Says what of a server a folder was last equal to. It is meant to be committed: who pulls from git then
 * knows it, too.
 */
export const originFile = 'origin.json';

/** One server's copy; `digest` is of its content at the last pull or push. */
export interface Origin {
  server: string;
  id: number;
  version: number;
  digest: string;
}

/** By the agent's uuid: one folder may have copies on several servers, which never share a uuid. */
export type Origins = Readonly<Record<string, Origin>>;

export const renderOrigins = (origins: Origins): string => stableJson(origins);

/** Throws UsageError. */
export function parseOrigins(text: string, where: string): Origins {
  try {
    const value: unknown = JSON.parse(text);
    return Object.fromEntries(
      Object.entries(isObject(value) ? value : {}).map(([uuid, each]) => [uuid, readOrigin(each)]),
    );
  } catch {
    throw new UsageError(
      `${where} cannot be read`,
      'It is written by pull and push. After a merge conflict take either side; `parlance agents diff` shows where the folder stands.',
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

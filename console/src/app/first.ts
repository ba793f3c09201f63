import { folders, overviews } from '../screens/agents/queries.ts';
import { onboarding } from './onboarding.ts';
import { learnZone } from './organization-zone.ts';
import { queries } from './query.ts';
import { rootPath } from './root.ts';
import { session } from './session.ts';

/** What rooms show first, by their paths. */
const first: Record<string, (() => void)[]> = {
  '/': [() => void queries.prefetchQuery(onboarding)],
  '/agents': [() => void queries.prefetchQuery(overviews), () => void queries.prefetchQuery(folders)],
};

/** Asks for what the room of a path shows first. The room finds the answers, or asks again. */
export function askFirst(path: string): void {
  if (session.get() === null) return;
  void learnZone();
  for (const ask of first[path.slice(rootPath.length)] ?? []) ask();
}

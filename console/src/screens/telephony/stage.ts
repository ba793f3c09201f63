/** Where a call by phone stands. */
export type Stage = 'waiting' | 'going' | 'ended';

export interface CallFacts {
  is_completed: boolean;
  state: 'initialized' | 'running' | 'completed';
  disposition: string | null;
}

/** The stage of a call, and what came of it. */
export function stageOf({ is_completed: isCompleted, state, disposition }: CallFacts): {
  stage: Stage;
  disposition: string | null;
} {
  if (isCompleted || state === 'completed')
    return { stage: 'ended', disposition: disposition?.replaceAll('_', ' ') ?? null };
  return { stage: state === 'running' ? 'going' : 'waiting', disposition: null };
}

/** Time as a dependency. Never used inside Temporal Workflows, where Temporal's own clock applies. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

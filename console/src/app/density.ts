import { useSyncExternalStore } from 'react';
import { choice } from './choice.ts';
import { session } from './session.ts';

export const densities = ['comfortable', 'compact'] as const;
export type Density = (typeof densities)[number];

/** How close the rows of all lists stand. */
export const density = choice<Density>('density', densities);

/** Heights of rows of one line and of two in px, as in styles/tokens.css. */
const heights: Record<Density, readonly [number, number]> = { comfortable: [36, 48], compact: [28, 40] };

function apply(): void {
  document.documentElement.dataset['density'] = density.get();
}
density.subscribe(apply);
session.subscribe(apply);
apply();

export const useDensity = (): Density => useSyncExternalStore(density.subscribe, density.get);

export const useRowHeight = (isTall: boolean): number => heights[useDensity()][isTall ? 1 : 0];

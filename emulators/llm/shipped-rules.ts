import { demoRules } from './demo-rules.ts';
import { designRules } from './design-rules.ts';
import type { Rule } from './rules.ts';

/**
 * What the simulated model answers of itself. Designs come first: the demo reads values out of whatever asks
 * for JSON.
 */
export const shippedRules: readonly Rule[] = [...designRules, ...demoRules];

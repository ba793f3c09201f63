import { demoRules } from './demo-rules.ts';
import { designRules } from './design-rules.ts';
import { templateRules } from './template-rules.ts';
import type { Rule } from './rules.ts';

/**
 * The built-in answers of the simulated model. Designs and templates come first, because the demonstration's
 * rules answer every JSON request.
 */
export const shippedRules: readonly Rule[] = [...designRules, ...templateRules, ...demoRules];

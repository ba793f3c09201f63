import { describeConformance } from './conformance.ts';

describeConformance('google');
describeConformance('openai');

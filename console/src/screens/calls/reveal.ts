export { toggleNumbers, useNumbersShown, useNumberText } from '../../app/numbers.ts';

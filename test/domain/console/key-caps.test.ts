import { expect, test } from '@jest/globals';
import { keyCaps } from '../../../console/src/app/key-caps.ts';

test.each([
  ['Ctrl+Z', [['Ctrl', 'Shift', 'Z']]],
  ['Ctrl+z', [['Ctrl', 'Z']]],
  ['Ctrl+Enter', [['Ctrl', 'Enter']]],
  ['g d', [['g'], ['d']]],
  ['?', [['?']]],
  ['A', [['Shift', 'A']]],
  ['Shift+ArrowLeft', [['Shift', '←']]],
  ['Escape', [['Esc']]],
])('%s is shown as the keys that are pressed', (keys, caps) => {
  expect(keyCaps(keys)).toEqual(caps);
});

import { describe, expect, test } from '@jest/globals';
import { panelLimits, panelWidth, widthAfter } from '../../../console/src/screens/editor/panel-width.ts';

describe('the panel beside the graph', () => {
  test.each([
    [1440, null, 420],
    [1000, null, 360],
    [700, null, 320],
    [1440, 100, 320],
    [1440, 612, 612],
    [1440, 5000, 800],
    [1000, 800, 600],
  ])('in a window of %i px, chosen %s, is %i px wide', (window, chosen, expected) => {
    expect(panelWidth(chosen, panelLimits(window))).toBe(expected);
  });

  test.each([
    ['ArrowLeft', false, 416],
    ['ArrowRight', false, 384],
    ['ArrowLeft', true, 384],
    ['ArrowRight', true, 416],
    ['Home', false, 320],
    ['End', false, 800],
    ['Tab', false, null],
  ])('after %s, mirrored %s, is %s px wide', (key, isMirrored, expected) => {
    expect(widthAfter(key, 400, { limits: panelLimits(1440), isMirrored })).toBe(expected);
  });
});

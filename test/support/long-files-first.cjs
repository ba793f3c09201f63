const { default: Sequencer } = require('@jest/test-sequencer');

/** They take about a minute each, so they begin first: none of them may be left to run alone at the end. */
const longFiles = [
  'e2e/slow-host',
  'e2e/phone-call',
  'e2e/carrier-down',
  'e2e/demonstration',
  'console/every-screen',
  'console/editor',
  'console/first-run',
  'e2e/media-host',
  'e2e/tool-at-most-once',
  'workflows/campaign/campaign',
  'workflows/voice-survival',
  'workflows/voice-dial',
  'media/speaking/steps',
];

const rank = ({ path }) => {
  const at = longFiles.findIndex((name) => path.endsWith(`/test/${name}.test.ts`));
  return at === -1 ? longFiles.length : at;
};

module.exports = class LongFilesFirst extends Sequencer {
  sort(tests) {
    // oxlint-disable-next-line unicorn/no-array-sort -- jest's own order, not an array's method
    return super.sort(tests).toSorted((one, other) => rank(one) - rank(other));
  }
};

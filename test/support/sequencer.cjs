const { default: Sequencer } = require('@jest/test-sequencer');

/** Files that take longest: they begin first, so that none of them is what everybody waits for in the end. */
const longest = [
  /model\//,
  /startup\//,
  /notifications\//,
  /test\/suite/,
  /webhooks\//,
  /http\//,
  /review\//,
  /catalog\//,
  /races\//,
];

const rank = ({ path }) => {
  const found = longest.findIndex((pattern) => pattern.test(path));
  return found === -1 ? longest.length : found;
};

/** Runs the same files in the same order on every machine. */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    return [...tests].sort((a, b) => rank(a) - rank(b) || a.path.localeCompare(b.path));
  }
};

const { default: Sequencer } = require('@jest/test-sequencer');

/** The longest suites start first, so that none of them is left at the end; the first one waits more than it works. */
const longest = [
  /notifications\//,
  /test\/suite|policy\.test/,
  /modules\/suite/,
  /webhooks\//,
  /server\//,
  /review\//,
  /apps\//,
  // The system tests.
  /startup\//,
  /tools\//,
  /races\//,
  /fuzz\//,
  /model\//,
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

/** The oldest version of Node that the programs run on. */
export const MIN_NODE = '22.19.0';

export const isSupported = (version: string): boolean =>
  version.localeCompare(MIN_NODE, 'en', { numeric: true }) >= 0;

/** Ends the process if its Node is too old: it would fail later with a message that does not name the cause. */
export function requireNode(): void {
  const { node } = process.versions;
  if (isSupported(node)) return;
  process.stderr.write(
    `Node ${node} is too old: ${MIN_NODE} or later is needed. npm start uses the Node of the project; without npm run node_modules/node/bin/node.\n`,
  );
  process.exit(1);
}

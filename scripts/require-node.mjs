// Must parse on any Node that knows modules, so that an old one gets a sentence instead of a syntax error.

const oldest = [20, 19];

/** Ends the process, with a sentence, on a Node that is too old. */
export function requireNode() {
  const parts = process.versions.node.split('.').map(Number);
  if (parts[0] > oldest[0] || (parts[0] === oldest[0] && parts[1] >= oldest[1])) return;
  process.stderr.write(
    'Indexwright needs Node.js ' + oldest.join('.') + ' or later; this is ' + process.versions.node + '.\n',
  );
  process.exit(2);
}

/** Options of the parent that a child must not repeat: they name other code to run, or claim something only one process can have. */
const notForChildren =
  /^(?:-e|-p|-pe|-i|-c|--eval|--print|--check|--interactive|--test.*|--watch.*|--run|--input-type|--inspect.*|--debug.*|--cpu-prof.*|--heap-prof.*|--max[-_]old[-_]space[-_]size)(?:=|$)/;

/** Those of them whose value may stand in the next argument. */
const withValue = /^(?:-e|-p|-pe|--eval|--print|--run|--input-type|--max[-_]old[-_]space[-_]size)$/;

/** Node options for a child: the parent's own, so that loaders reach it, and a heap limit in MB if one is given. */
export function childExecOptions(parent: readonly string[], memoryMb?: number): string[] {
  const kept = parent.filter((option, at) => !notForChildren.test(option) && !withValue.test(parent[at - 1] ?? ''));
  return memoryMb === undefined ? kept : [...kept, `--max-old-space-size=${memoryMb}`];
}

/**
 * Runs a benchmark, and takes away what it made however it ends, by a signal too: the last first.
 *
 * @param work gets `keep`, which awaits a part and remembers to stop (or to drop) it.
 */
export async function runAndClean(work) {
  const cleanups = [];
  const keep = async (starting) => {
    const part = await starting;
    cleanups.unshift(() => (part.stop ? part.stop() : part.drop()));
    return part;
  };
  const interrupted = new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => reject(new Error(`ended by ${signal}`)));
  });
  try {
    await Promise.race([work(keep), interrupted]);
  } finally {
    for (const clean of cleanups) await clean();
  }
}

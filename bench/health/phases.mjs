const at = (time) => new Date(time).getTime();

/** The phases of one document's way, in epoch ms, by the tasks' own times. */
export function phasesOf({ idleFrom, uploadFrom, uploadTo, parse, build }) {
  const stage = (task, name) => {
    const { startedAt, finishedAt } = task.stages.find((one) => one.stage.name === name);
    return { from: at(startedAt), to: at(finishedAt) };
  };
  return [
    { name: 'nothing to do', from: idleFrom, to: uploadFrom },
    { name: 'upload', from: uploadFrom, to: uploadTo },
    { name: 'parse', ...stage(parse, 'CONTENT_PARSE') },
    { name: 'recommend a plan', ...stage(parse, 'STRATEGY_ROUTE') },
    { name: 'chunk', ...stage(build, 'CHUNK_EXECUTE') },
    { name: 'vectorize', ...stage(build, 'VECTORIZE') },
    { name: 'write the index', ...stage(build, 'INDEX_WRITE') },
    { name: 'from upload to SUCCESS', from: uploadFrom, to: at(build.finishedAt) },
  ];
}

/** The answers that were under way in a phase at any moment. */
export function answersIn({ from, to }, samples) {
  return samples.filter(({ sentAt, tookMs }) => sentAt <= to && sentAt + tookMs >= from);
}

const at = (time) => new Date(time).getTime();
const stage = (task, name) => task.stages.find((one) => one.stage.name === name);
const lasted = (task, name) => {
  const { startedAt, finishedAt } = stage(task, name);
  return at(finishedAt) - at(startedAt);
};

/** The parts of a document's way from upload to SUCCESS, as the client's clock and the tasks' own times tell them, in ms. */
export const spans = [
  { name: 'upload', of: ({ prepared: { times } }) => times.uploaded - times.begun },
  { name: 'parse waits', of: ({ prepared: { parse } }) => at(parse.startedAt) - at(parse.createdAt) },
  { name: 'parse', of: ({ prepared: { parse } }) => at(parse.finishedAt) - at(parse.startedAt) },
  { name: 'until seen', of: ({ prepared: { parse, times } }) => times.parsed - at(parse.finishedAt) },
  { name: 'confirm', of: ({ prepared: { times } }) => times.confirmed - times.parsed },
  { name: 'accept', of: ({ built: { times } }) => times.accepted - times.begun },
  { name: 'build waits', of: ({ built: { task } }) => at(task.startedAt) - at(task.createdAt) },
  { name: 'build', of: ({ built: { task } }) => at(task.finishedAt) - at(task.startedAt) },
  { name: 'of it chunk', of: ({ built: { task } }) => lasted(task, 'CHUNK_EXECUTE') },
  { name: 'vectorize', of: ({ built: { task } }) => lasted(task, 'VECTORIZE') },
  { name: 'write', of: ({ built: { task } }) => lasted(task, 'INDEX_WRITE') },
  { name: 'until seen', of: ({ built: { task, times } }) => times.built - at(task.finishedAt) },
];

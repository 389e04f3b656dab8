const size = 1_000;
const lineFeed = 10;
const fullStop = 46;

/** Pieces of at most about 1,000 characters that end after a full stop or a line, found in one scan. */
export function cut(text) {
  const pieces = [];
  let from = 0;
  let last = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === lineFeed || code === fullStop) last = at + 1;
    if (at + 1 - from < size) continue;
    const to = last > from ? last : at + 1;
    pieces.push([from, to]);
    from = to;
  }
  if (from < text.length) pieces.push([from, text.length]);
  return pieces;
}

/** Where browsers look for it, and a little more. */
const searchedBytes = 4_096;

const metaTag = /<meta\s[^>]*?>/gi;
const charset = /\bcharset\s*=\s*["']?\s*([\w.:-]+)/i;
const xmlDeclaration = /^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/;

/** The name of the encoding that a page declares in itself or that its sender gave with its type; not always a true one. */
export function htmlEncoding(bytes: Buffer, mediaType?: string): string | undefined {
  const sent = mediaType === undefined ? undefined : charset.exec(mediaType)?.[1];
  if (sent !== undefined) return sent;
  const head = bytes.toString('latin1', 0, searchedBytes);
  for (const [tag] of head.replace(/<!--[^]*?-->/g, '').matchAll(metaTag)) {
    const named = charset.exec(tag)?.[1];
    if (named !== undefined) return named;
  }
  return xmlDeclaration.exec(head)?.[1];
}

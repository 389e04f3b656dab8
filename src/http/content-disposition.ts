/** Has a browser save what it gets under `fileName` (RFC 6266, RFC 8187): the exact name, and one in ASCII for old clients. */
export function attachment(fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["%\\]/g, '_');
  const exact = encodeURIComponent(fileName).replace(/['()*]/g, percentCode);
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
}

/** For what encodeURIComponent leaves as it is but the header's grammar does not allow. */
function percentCode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

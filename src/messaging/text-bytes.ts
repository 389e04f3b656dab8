const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** True for bytes that JSON and databases can hold as text: UTF-8 without NUL. */
export function isText(bytes: Buffer): boolean {
  if (bytes.includes(0)) return false;
  try {
    utf8.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

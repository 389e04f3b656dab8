import iconv from 'iconv-lite';

/** Names by which people know an encoding, without signs, and the one that is stored. */
const aliases: ReadonlyMap<string, string> = new Map(
  Object.entries({
    utf8: 'utf-8',
    unicode11utf8: 'utf-8',
    utf16: 'utf-16le',
    utf16le: 'utf-16le',
    ucs2: 'utf-16le',
    utf16be: 'utf-16be',
    utf32: 'utf-32le',
    utf32le: 'utf-32le',
    utf32be: 'utf-32be',
    gb2312: 'gb18030',
    gb231280: 'gb18030',
    xgbk: 'gb18030',
    gbk: 'gb18030',
    cp936: 'gb18030',
    gb18030: 'gb18030',
    big5: 'big5',
    big5hkscs: 'big5',
    cp950: 'big5',
    shiftjis: 'shift_jis',
    sjis: 'shift_jis',
    xsjis: 'shift_jis',
    mskanji: 'shift_jis',
    windows31j: 'shift_jis',
    cp932: 'shift_jis',
    eucjp: 'euc-jp',
    xeucjp: 'euc-jp',
    iso2022jp: 'iso-2022-jp',
    euckr: 'euc-kr',
    cp949: 'euc-kr',
    ksc5601: 'euc-kr',
    ksc56011987: 'euc-kr',
    ascii: 'windows-1252',
    usascii: 'windows-1252',
    latin1: 'windows-1252',
    iso88591: 'windows-1252',
    iso88598i: 'iso-8859-8',
    tis620: 'windows-874',
    koi8r: 'koi8-r',
    koi8u: 'koi8-u',
    macroman: 'macintosh',
    macintosh: 'macintosh',
  }),
);

/** The stored name of an encoding that texts can be read in, whatever its spelling; undefined for any other word. */
export function encodingNamed(label: string): string | undefined {
  const plain = label
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
  const alias = aliases.get(plain);
  if (alias) return alias;
  const windows = /^(?:windows|win|x?cp)(125[0-8]|874|866)$/.exec(plain);
  if (windows) return `${windows[1] === '866' ? 'cp' : 'windows-'}${windows[1]}`;
  const iso = /^iso8859(1[0-6]|[2-9])$/.exec(plain);
  return iso && iso[1] !== '12' ? `iso-8859-${iso[1]}` : undefined;
}

/** Bytes that are decoded at once: a decoder takes several times their size for a while. */
const pieceBytes = 1_048_576;

/** Decodes by a stored name. What is not valid becomes U+FFFD. */
export function decodeAs(bytes: Buffer, encoding: string): string {
  if (encoding === 'utf-8') return bytes.toString('utf8');
  const decode = decoderOf(encoding, { stripBOM: false });
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) parts.push(decode(bytes.subarray(at, at + pieceBytes)));
  parts.push(decode());
  // Of UTF-16 the decoder drops a last byte without its other half, and says nothing.
  const isCut = encoding.startsWith('utf-16') && bytes.length % 2 === 1;
  return parts.join('') + (isCut ? '\ufffd' : '');
}

/** Decodes bytes by a stored name as they come; called without any at the end. A byte order mark is dropped. */
export function streamDecoder(encoding: string): (part?: Buffer) => string {
  return decoderOf(encoding, { stripBOM: true });
}

function decoderOf(encoding: string, options: { readonly stripBOM: boolean }): (part?: Buffer) => string {
  if (encoding === 'iso-2022-jp') {
    const decoder = new TextDecoder(encoding, { ignoreBOM: !options.stripBOM });
    return (part) => decoder.decode(part, { stream: part !== undefined });
  }
  const decoder = iconv.getDecoder(encoding, options);
  return (part) => (part ? decoder.write(part) : (decoder.end() ?? ''));
}

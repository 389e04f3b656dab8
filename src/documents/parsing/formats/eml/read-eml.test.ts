import { describe, expect, it } from '@jest/globals';
import iconv from 'iconv-lite';
import type { ParsedText } from '../../../../domain/text/block.js';
import { readBytes } from '../../../../testing/read-bytes.js';

const read = (content: string | Uint8Array, fileName = 'a.eml'): Promise<ParsedText> =>
  readBytes(content, { fileName });
const lines = (...parts: string[]): string => parts.join('\r\n');
const warningsOf = ({ warnings }: ParsedText): string[] => warnings.map(({ code, message }) => `${code} ${message}`);

const head = lines(
  'Received: from a by b; Wed, 1 May 2024 18:00:00 +0800',
  'From: =?UTF-8?B?5byg5LiJ?= <zhang@example.com>',
  'To: "Li, Si" <li@example.com>, team: a@example.com, B <b@example.com>;',
  'Cc: c@example.com',
  'Subject: =?gb2312?B?1tDOxA==?= =?utf-8?Q?_report_=E2=82=AC?=',
  'Date: Wed, 1 May 2024 18:00:00 +0800',
  'MIME-Version: 1.0',
);
const header = [
  '# 中文 report €',
  [
    '- From: 张三 <zhang@example.com>',
    '- To: Li, Si <li@example.com>, team: a@example.com, B <b@example.com>;',
    '- Cc: c@example.com',
    '- Date: Wed, 1 May 2024 18:00:00 +0800',
  ].join('\n'),
].join('\n\n');

describe('readEml', () => {
  it('reads subject, people, date and text', async () => {
    const parsed = await read(
      lines(head, 'Content-Type: text/plain; charset=utf-8', '', 'Dear all,', 'see below.', '', 'Li'),
    );
    expect(parsed.text).toBe(`${header}\n\nDear all,\nsee below.\n\nLi`);
    expect(parsed).toMatchObject({ mediaType: 'message/rfc822', warnings: [] });
  });

  it('reads what others wrote before as quotations', async () => {
    const parsed = await read(
      lines(
        'From: a@b',
        'Date: x',
        '',
        'Yes.',
        '',
        'On Monday B wrote:',
        '> No?',
        '> ',
        '>> Maybe.',
        '>more',
        '-- ',
        'A',
      ),
    );
    expect(parsed.text).toBe(
      '- From: a@b\n- Date: x\n\nYes.\n\nOn Monday B wrote:\n\n> No?\n\n> > Maybe.\n\n> more\n\n--\nA'.replace(
        '--\n',
        '\\--\n',
      ),
    );
  });

  it('reads one of the forms that a text was sent in, the one with structure', async () => {
    const message = (plain: string, html: string): string =>
      lines(
        head,
        'Content-Type: multipart/mixed; boundary=m',
        '',
        '--m',
        'Content-Type: multipart/alternative; boundary="a b"',
        '',
        '--a b',
        'Content-Type: text/plain; charset=us-ascii',
        '',
        plain,
        '--a b',
        'Content-Type: text/html; charset=utf-8',
        'Content-Transfer-Encoding: quoted-printable',
        '',
        html,
        '--a b--',
        '--m--',
      );
    const page =
      '<h2>Of=\r\nfer</h2><header>Kept</header><p>Caf=C3=A9 <img src=3D"cid:1" alt=3D"logo">=\r\n now<blockquote>before</blockquote>';
    const parsed = await read(message('Offer Kept Cafe now', page));
    expect(parsed.text).toBe(`${header}\n\n## Offer\n\nKept\n\nCafé now\n\n> before`);
    expect(warningsOf(parsed)).toEqual(['PICTURES_LEFT_OUT 1 picture was left out.']);
    const stub = await read(message('The whole text of this message.', '<p>See text'));
    expect(stub.text).toBe(`${header}\n\nThe whole text of this message.`);
  });

  it('lists attachments and messages within the message', async () => {
    const part = (type: string, ...rest: string[]): string => lines('--m', `Content-Type: ${type}`, ...rest);
    const parsed = await read(
      lines(
        head,
        'Content-Type: multipart/related; boundary=m',
        '',
        part('text/html', '', '<p>Text <img src="cid:p@x">'),
        part('image/png; name=p.png', 'Content-ID: <p@x>', 'Content-Transfer-Encoding: base64', '', 'aaaa'),
        part(
          'application/pdf',
          'Content-Disposition: attachment; filename="=?UTF-8?B?5oql5ZGK?=.pdf"',
          '',
          'x'.repeat(3_000),
        ),
        part('text/plain', "Content-Disposition: attachment; filename*=utf-8''%E4%B8%AD.txt", '', 'secret notes'),
        part('message/rfc822', '', 'Subject: inner', '', 'inner text'),
        '--m--',
      ),
    );
    expect(parsed.text).toBe(`${header}\n\nText`);
    expect(warningsOf(parsed)).toEqual([
      'ATTACHMENTS_LEFT_OUT 3 attachments were left out: 报告.pdf (application/pdf, 3 KB); 中.txt (text/plain, 13 bytes); ' +
        'without a name (message/rfc822, 27 bytes).',
      'PICTURES_LEFT_OUT 1 picture was left out.',
    ]);
  });

  it.each<[string, string, string]>([
    ['gb2312', 'gb18030', '这是一封电子邮件。'],
    ['big5', 'big5', '這是一封電子郵件。'],
    ['Shift_JIS', 'shift_jis', 'これはメールです。'],
    ['ks_c_5601-1987', 'euc-kr', '이것은 이메일입니다.'],
    ['koi8-r', 'koi8-r', 'Это письмо.'],
  ])('reads a text in %s, encoded or not', async (charset, encoding, text) => {
    const bytes = iconv.encode(text, encoding);
    const type = `Content-Type: text/plain; charset="${charset}"`;
    const raw = Buffer.concat([
      Buffer.from(lines('From: a@b', 'Subject: '), 'latin1'),
      bytes,
      Buffer.from(`\r\n${type}\r\n\r\n`),
      bytes,
    ]);
    expect((await read(raw)).text).toBe(`# ${text}\n\n- From: a@b\n\n${text}`);
    const base64 = lines('From: a@b', type, 'Content-Transfer-Encoding: base64', '', bytes.toString('base64'));
    expect((await read(base64)).text).toBe(`- From: a@b\n\n${text}`);
  });

  it('reads ISO-2022-JP', async () => {
    const message = lines(
      'Subject: =?ISO-2022-JP?B?GyRCNEE7ehsoQg==?=',
      'Content-Type: text/plain; charset=iso-2022-jp',
      '',
      '\x1b$B4A;z\x1b(B abc',
    );
    expect((await read(message)).text).toBe('# 漢字\n\n漢字 abc');
  });

  it('finds out an encoding that nobody named, or takes what is said', async () => {
    const text = '这是一个测试文档，用来检查编码识别。';
    const bytes = iconv.encode(`From: a@b\r\nSubject: 中文标题是这样\r\n\r\n${text}`, 'gb18030');
    expect((await read(bytes)).text).toBe(`# 中文标题是这样\n\n- From: a@b\n\n${text}`);
    const page = iconv.encode(
      `From: a@b\r\nContent-Type: text/html\r\n\r\n<meta charset=macintosh><p>Café`,
      'macintosh',
    );
    expect((await read(page)).text).toBe('- From: a@b\n\nCafé');
    const asked = await readBytes(iconv.encode('From: a@b\n\nМосква', 'koi8-r'), {
      fileName: 'a.eml',
      encoding: 'koi8-r',
    });
    expect(asked.text).toBe('- From: a@b\n\nМосква');
  });

  it('reads a page that was saved as a message', async () => {
    const message = lines(
      'From: <Saved by Blink>',
      'Snapshot-Content-Location: https://example.com/',
      'Subject: Page',
      'MIME-Version: 1.0',
      'Content-Type: multipart/related; type="text/html"; boundary="m"',
      '',
      '--m',
      'Content-Type: text/html',
      '',
      '<title>Page</title><nav>Menu</nav><article><p>Text</article>',
      '--m--',
    );
    const parsed = await read(message, 'a.mhtml');
    expect(parsed.text).toBe('# Page\n\nText');
    expect(parsed.warnings.map(({ code }) => code)).toEqual(['NAVIGATION_LEFT_OUT']);
  });

  it('names fifty of many addressees, and how many there are', async () => {
    const to = Array.from({ length: 80 }, (_, i) => `p${i}@b`).join(', ');
    const parsed = await read(lines('From: a@b', `To: ${to}`, '', 'x'));
    expect(parsed.text).toContain('p49@b, …');
    expect(warningsOf(parsed)).toEqual(['ADDRESSES_LEFT_OUT 30 of 80 addresses were left out.']);
  });
});

describe('what is no message that can be read', () => {
  const nested = (depth: number): string =>
    Array.from({ length: depth }, (_, i) =>
      lines(`Content-Type: multipart/mixed; boundary=b${i}`, '', `--b${i}`, ''),
    ).join('');

  it.each([
    ['is encrypted', lines(head, 'Content-Type: multipart/encrypted; boundary=m', '', '--m', '', 'x'), 'ENCRYPTED'],
    [
      'is sealed',
      lines(head, 'Content-Type: application/pkcs7-mime; smime-type=enveloped-data', '', 'MII'),
      'ENCRYPTED',
    ],
    ['has no headers', 'just some text\n\nand more', 'CORRUPT'],
    ['has parts without end', `From: a@b\r\n${nested(300)}x`, 'TOO_LARGE'],
    ['has headers without end', `From: a@b\r\n${'X-A: b\r\n'.repeat(200_000)}\r\nx`, 'TOO_LARGE'],
  ])('is refused if it %s', async (_, content, code) => {
    await expect(read(content)).rejects.toMatchObject({ name: 'AppError', code });
  });
});

describe('files that are messages', () => {
  it.each(['a.txt', 'message'])('are read as what they are if they are called %s', async (fileName) => {
    expect(await read(lines(head, '', 'x'), fileName)).toMatchObject({ mediaType: 'message/rfc822' });
    expect(await read(`From a@b Wed May  1 18:00:00 2024\n${head.replaceAll('\r', '')}\n\nx`, fileName)).toMatchObject({
      text: `${header}\n\nx`,
    });
  });

  it('are not those in which people write like that', async () => {
    expect(await read('From: me\nTo: you\nSubject: us\n\nx', 'a.txt')).toMatchObject({ mediaType: 'text/plain' });
    expect(await read(`${head}\n\nx`, 'a.md')).toMatchObject({ mediaType: 'text/markdown' });
  });
});

import { describe, expect, it } from '@jest/globals';
import iconv from 'iconv-lite';
import type { ParsedText } from '../../../../domain/text/block.js';
import { readBytes } from '../../../../testing/read-bytes.js';

const read = (
  content: string | Uint8Array,
  more: { mediaType?: string; fileName?: string } = {},
): Promise<ParsedText> => readBytes(content, { fileName: 'a.html', ...more });
const textOf = async (content: string): Promise<string> => (await read(content)).text;
const warningsOf = async (content: string | Uint8Array): Promise<string[]> =>
  (await read(content)).warnings.map(({ code, message }) => `${code} ${message}`);

describe('readHtml', () => {
  it('reads headings, paragraphs, lists, quotes, code and rules', async () => {
    const parsed = await read(`<!DOCTYPE html><html><head><title>Site</title></head><body>
      <h1>The <em>title</em></h1>
      <p>One
         paragraph, <b>bold</b> and <a href="x">linked</a>.<p>Another one.
      <ul><li>one<li>two<ol start=3><li>three</li><li value=7>seven<li>eight</ol><li><p>four<p>more</li></ul>
      <blockquote><p>said<p>more<blockquote>before</blockquote></blockquote>
      <hr>
      <pre><code class="language-js">if (a &lt; b)
  c();
</code></pre>
      <h3>Deep</h3>text<br>second line<br><br>next
    </body></html>`);
    expect(parsed.text).toBe(
      [
        '# The title',
        'One paragraph, bold and linked.',
        'Another one.',
        '- one\n- two\n  3. three\n  7. seven\n  8. eight\n- four\n  more',
        '> said\n>\n> more',
        '> > before',
        '***',
        '```js\nif (a < b)\n  c();\n```',
        '### Deep',
        'text\nsecond line',
        'next',
      ].join('\n\n'),
    );
    expect(parsed).toMatchObject({ mediaType: 'text/html', encoding: 'utf-8', warnings: [] });
    expect(parsed.blocks.map(({ type, depth }) => [type, depth])).toContainEqual(['listItem', 2]);
  });

  it('has the name of the page as heading only where it has none of the first level', async () => {
    expect(await textOf('<title> The\n page </title><h2>Part</h2><p>x')).toBe('# The page\n\n## Part\n\nx');
    expect(await textOf('<title>The page</title><h2>Part</h2><h1>Own</h1>')).toBe('## Part\n\n# Own');
    await expect(read('<title>An app</title><div id=root></div>')).rejects.toMatchObject({ code: 'NO_TEXT' });
  });

  it('draws white space together as browsers do, and joins Chinese lines without spaces', async () => {
    expect(await textOf('<p>a <b> b</b>\n\t c&nbsp;&nbsp;d<span>e</span><wbr>f so&shy;ft</p>')).toBe('a b c def soft');
    expect(await textOf('<p>中文的一行，\n  下一行。\nEnglish\n中 文</p>')).toBe('中文的一行，下一行。 English 中 文');
    expect(await textOf('<p>ｶﾞ 한국\n어</p>')).toBe('ｶﾞ 한국 어');
  });

  it('decodes entities, also broken ones', async () => {
    expect(
      await textOf('<p>x &lt;b&gt; &amp;amp; &copy 2024 &eacute;t&eacute &#20013;&#x6587; &#128; &bogus; AT&T &#0;'),
    ).toBe('x <b> &amp; © 2024 été 中文 € &bogus; AT&T \ufffd');
  });

  it('leaves out what nobody sees, and lists what is hidden', async () => {
    const page = `<p>seen</p><script>if (a</script><style>p{}</style><template><p>t</p></template><noscript>n</noscript>
      <p hidden>hidden one</p><div style="color:red; display : none"><p>two</div><span aria-hidden="true">three</span>
      <p style="visibility:hidden">four</p><select><option>x</select><iframe src="//x">f</iframe><img src=a.png><!-- c -->
      <p>seen too</p>`;
    expect(await textOf(page)).toBe('seen\n\nseen too');
    expect(await warningsOf(page)).toEqual([
      'HIDDEN_LEFT_OUT 4 hidden parts were left out, 22 characters: "hidden one two three four".',
      'FORM_FIELDS_LEFT_OUT 1 form field was left out, 1 character: "x".',
      'EMBEDDED_LEFT_OUT 1 embedded frame or medium was left out.',
      'PICTURES_LEFT_OUT 1 picture was left out.',
    ]);
  });

  it('does not hide a page that hides itself until its scripts have run', async () => {
    expect(await textOf('<html hidden><body style="visibility:hidden"><p>x</body>')).toBe('x');
  });
});

describe('main text', () => {
  const nav = '<nav><a>Home</a><a>About</a></nav><header><h1>Site</h1></header>';
  const foot = '<aside>Related</aside><footer>© 2024</footer>';

  it('is what is left without navigation, head and foot, which are listed', async () => {
    const page = `${nav}<main><header><h1>Article</h1></header><p>Text<aside>Note</aside></p></main>${foot}`;
    expect(await textOf(page)).toBe('# Article\n\nText\n\nNote');
    expect(await warningsOf(page)).toEqual([
      'NAVIGATION_LEFT_OUT 4 pieces around the main text were left out, 26 characters: "HomeAbout Site Related © 2024".',
    ]);
  });

  it('is all of what the page calls so, where that is most of the text', async () => {
    const long = 'A sentence of the text. '.repeat(20).trim();
    expect(await textOf(`<h1>Title</h1><p>Help</p><main><p>${long}</main><div>Skip</div>`)).toBe(`# Title\n\n${long}`);
    expect(await textOf(`<h1>Site</h1><main><h1>Title</h1><p>${long}</main>`)).toBe(`# Title\n\n${long}`);
    expect(await textOf(`<p>${long.repeat(3)}</p><main><p>${long}</main>`)).toBe(`${long.repeat(3)}\n\n${long}`);
    expect(await textOf(`<p>before</p><main><p>x</main>`)).toBe('before\n\nx');
  });

  it('is found without main, by how much text there is', async () => {
    const long = 'A sentence of the text. '.repeat(20).trim();
    expect(await textOf(`${nav}<div><p>${long}</div>${foot}`)).toBe(long);
  });

  it('is never lost: a page of nothing but navigation is kept', async () => {
    expect(await textOf(`${nav}${foot}`)).toBe('HomeAbout\n\n# Site\n\nRelated\n\n© 2024');
    expect(await warningsOf(`${nav}${foot}<main></main><p>short`)).toEqual([]);
    expect(await textOf('<div role=navigation>a list of links</div><p>short</p>')).toBe('a list of links\n\nshort');
  });
});

describe('tables', () => {
  it('have headers, captions and merged cells', async () => {
    expect(
      await textOf(`<table><caption>Prices</caption><thead><tr><th rowspan=2>Item<th colspan=2>Price</tr><tr><th>net<th>gross</thead>
        <tr><td>Tea<br>green<td rowspan=2>1<td>2</tr><tr><td>a|b<td>3<tfoot><tr><td colspan=3>all</table>`),
    ).toBe(
      'Prices\n\n| Item | Price / net | Price / gross |\n| --- | --- | --- |\n| Tea green | 1 | 2 |\n| a\\|b | 1 | 3 |\n| all | all | all |',
    );
  });

  it('within cells are their text, and so are lists', async () => {
    expect(
      await textOf(`<table><tr><th>a<th>b</tr><tr><td><table><tr><td>1<td>2</tr><tr><td>3<td>4</table></td>
        <td><ul><li>x<li>y</ul></td></tr></table>`),
    ).toBe('| a | b |\n| --- | --- |\n| 1, 2; 3, 4 | x; y |');
  });

  it('that only place things are what is in them', async () => {
    expect(await textOf('<table><tr><td><h2>T</h2><p>one</td></tr></table>')).toBe('## T\n\none');
    expect(await textOf('<table><tr><td>a</td></tr><tr><td>&nbsp;</td><td>b</td></tr></table>')).toBe('a\n\nb');
    expect(await textOf('<table><tr><td>Back<td>Up<td>Next</table>')).toBe('Back\n\nUp\n\nNext');
    expect(await textOf('<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>')).toBe('a\n\nb\n\nc\n\nd');
    expect(await textOf('<table><tr><td><h2>Menu</h2><td><h2>Text</h2><p>one</table>')).toBe(
      '## Menu\n\n## Text\n\none',
    );
  });

  it('keep what careless pages put between their cells', async () => {
    expect(await textOf('<table>loose<tr><td>a<td>b</tr>more<tr><td>1<td>2</table>')).toBe(
      'loose\n\nmore\n\n| a | b |\n| --- | --- |\n| 1 | 2 |',
    );
  });

  it('leave line numbers beside code out', async () => {
    const page =
      '<table><tr><td class="linenos"><pre>1\n2</pre><td class=code><pre>a\n b<button>copy</button></pre></table>';
    expect(await textOf(page)).toBe('```\na\n b\n```');
    expect(await warningsOf(page)).toEqual([
      expect.stringContaining('LINE_NUMBERS_LEFT_OUT 1 column'),
      expect.stringContaining('FORM_FIELDS_LEFT_OUT'),
    ]);
  });
});

describe('other elements', () => {
  it('give terms with what they mean, lettered lists, captions, summaries and notes', async () => {
    expect(await textOf('<dl><dt>Term<dd>Meaning<dd>Other<dt>Next</dl>')).toBe(
      '- Term\n  - Meaning\n  - Other\n- Next',
    );
    expect(await textOf('<ol type=a start=2><li>x<li>y</ol><ol reversed><li>z</ol>')).toBe('- b. x\n- c. y\n- z');
    expect(await textOf('<figure><img src=x alt="A cat on a mat"><figcaption>Fig. 1</figcaption></figure>')).toBe(
      'A cat on a mat\n\nFig. 1',
    );
    expect(await textOf('<details><summary>More</summary>hidden until asked for</details>')).toBe(
      'More\n\nhidden until asked for',
    );
    expect(
      await textOf('<p>x<sup>2</sup> H<sub>2</sub>O 1<sup>st</sup></p><aside role=doc-footnote>2. note</aside>'),
    ).toBe('x^2 H2O 1st\n\n[^2]: note');
    expect(await textOf('<p>so<sup><a role=doc-noteref href=#n>[3]</a></sup>.</p><p role=doc-footnote>3 note')).toBe(
      'so[^3].\n\n[^3]: note',
    );
  });

  it('give the words of pictures only where they say something', async () => {
    expect(await textOf('<p>Press <img alt="Enter"> now<img alt=logo><img alt="IMG_1.JPG"><img alt></p>')).toBe(
      'Press Enter now',
    );
  });

  it('give the words of drawings, formulas, ruby and quotations', async () => {
    expect(
      await textOf('<p>a</p><svg><title>t</title><style>x</style><text>Label<tspan> two</tspan></text></svg><p>b'),
    ).toBe('a\n\nLabel two\n\nb');
    expect(await textOf('<svg><path d="x"><p>text after a drawing that never ends')).toBe(
      'text after a drawing that never ends',
    );
    expect(
      await textOf('<p><math alttext="x^2"><mi>x</mi></math> <math><mi>y</mi><annotation>tex</annotation></math>'),
    ).toBe('x^2 y');
    expect(await textOf('<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby> <q>said</q>')).toBe('漢(kan) “said”');
  });
});

describe('careless and hostile pages', () => {
  it('are balanced as browsers do', async () => {
    expect(await textOf('<div><p>a</div></p></b>b</td><i>c<p>d</i>e')).toBe('a\n\nbc\n\nde');
    expect(await textOf('<ul><li><div>a</li><li>b</ul>c')).toBe('- a\n- b\n\nc');
    expect(await textOf('<table><tr><td><div>a</table></div>b')).toBe('a\n\nb');
    expect(await textOf('<h2>Never ended<p>text<p>more')).toBe('## Never ended\n\ntext\n\nmore');
    expect(await textOf('<p>x <b <i>y</p> < z <')).toBe('x y\n\n< z <');
  });

  it.each([
    'div',
    'b',
    'ul><li',
    'table><tr><td',
    'table><tr><td>words<i',
    'blockquote',
    'svg><foreignObject',
    'span hidden',
    'h1',
    'section',
    'p><object',
  ])('may nest <%s> 50,000 times', async (tag) => {
    const page = `<p>seen</p>${`<${tag}>`.repeat(50_000)}deep${'</b></div></i></td>'.repeat(20_000)}`;
    expect(await textOf(page)).toContain('seen');
  });

  it.each(['<p', '<a b=', '&amp', '<!--', '<![CDATA[', '</p ', '<td colspan=1000 rowspan=9999>x', '<br>', ' a\n'])(
    'may repeat %s',
    async (piece) => {
      expect(await textOf(`<p>seen</p><p>${piece.repeat(100_000)}`)).toContain('seen');
    },
  );
});

describe('the encoding of a page', () => {
  const chinese = '这是一个网页，用来检查编码识别。';

  it.each<[string, string, string, string]>([
    ['a meta element', '<meta charset="gb2312">', 'gb18030', 'text/html'],
    [
      'an older meta element',
      '<meta http-equiv="Content-Type" content="text/html; charset=big5">',
      'big5',
      'text/html',
    ],
    ['an XML declaration', '<?xml version="1.0" encoding="gbk"?>', 'gb18030', 'text/html'],
    ['its sender', '', 'big5', 'text/html; charset=big5'],
  ])('is what %s says', async (_, head, encoding, mediaType) => {
    const text = encoding === 'big5' ? '這是一個網頁' : chinese;
    const bytes = iconv.encode(`${head}<html><p>${text}</p></html>`, encoding);
    expect(await read(bytes, { mediaType })).toMatchObject({ text, encoding, encodingConfidence: 1 });
  });

  it('is ISO-2022-JP where that is said', async () => {
    const page = Buffer.from('<meta charset=iso-2022-jp><p>\x1b$B4A;z\x1b(B abc</p>', 'latin1');
    expect(await textOf(page.toString('latin1'))).toBe('漢字 abc');
  });

  it('is what the bytes are where the page says something else, and that is noted', async () => {
    const utf8 = await read(`<meta charset=gb2312><p>${chinese}`);
    expect(utf8).toMatchObject({ text: chinese, encoding: 'utf-8' });
    expect(utf8.warnings).toEqual([
      { code: 'ENCODING_NOT_AS_DECLARED', message: expect.stringContaining('gb2312, which its bytes are not') },
    ]);
    const gbk = await read(iconv.encode(`<meta charset=utf-8><p>${chinese}`, 'gb18030'));
    expect(gbk).toMatchObject({ text: chinese, encoding: 'gb18030' });
    expect(gbk.warnings.map(({ code }) => code)).toEqual(['ENCODING_NOT_AS_DECLARED', 'ENCODING_GUESSED']);
  });

  it('is found out where nothing says it', async () => {
    const { text, warnings } = await read(iconv.encode(`<p>${chinese}`, 'gb18030'));
    expect(text).toBe(chinese);
    expect(warnings.map(({ code }) => code)).toEqual(['ENCODING_GUESSED']);
  });
});

describe('files that are HTML', () => {
  it.each([
    ['a.txt', '<!DOCTYPE html><p>x'],
    ['a.txt', '<?xml version="1.0"?>\n<!-- c -->\n<html xmlns="x"><p>x</p></html>'],
    ['a.md', '<!doctype HTML><p>x'],
    ['a.xls', '<table><tr><td>x</td></tr></table>'],
    ['a.doc', '<html xmlns:w="urn:schemas-microsoft-com:office:word"><p>x'],
  ])('are read as what they are, and noted, if they are called %s', async (fileName, content) => {
    const parsed = await read(content, { fileName });
    expect(parsed).toMatchObject({ text: 'x', mediaType: 'text/html' });
    expect(parsed.warnings).toEqual([{ code: 'OTHER_TYPE', message: expect.stringContaining('HTML') }]);
  });

  it('are known by their sender where they have no ending', async () => {
    expect(await read('<p>x', { fileName: 'page', mediaType: 'text/html' })).toMatchObject({ mediaType: 'text/html' });
    expect(await read('<table><tr><td>x', { fileName: 'a.md' })).toMatchObject({ mediaType: 'text/markdown' });
  });

  it('may be XHTML, whose elements end themselves', async () => {
    expect(
      await textOf(`<?xml version="1.0"?><html><head><title/><script src="x"/></head><body><a id="p1"/><p>a</p><div hidden=""/>
        <p>b &nbsp;<![CDATA[<c>]]></p></body></html>`),
    ).toBe('a\n\nb <c>');
  });

  it('may be UTF-16', async () => {
    const bytes = iconv.encode('<html><p>中文 text</p></html>', 'utf-16le', { addBOM: true });
    expect(await read(bytes, { fileName: 'a.txt' })).toMatchObject({ text: '中文 text', encoding: 'utf-16le' });
  });
});

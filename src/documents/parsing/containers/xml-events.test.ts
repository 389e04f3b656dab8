import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import iconv from 'iconv-lite';
import { readXml } from './xml-events.js';
import { elementIn, elementsIn, readXmlTree, textIn } from './xml-tree.js';

const prefixes = new Map([['urn:word', 'w']]);
const options = { prefixes, limits: { depth: 20 } };

async function events(xml: string | Buffer): Promise<string[]> {
  const seen: string[] = [];
  const handler = {
    open: (name: string, attributes: object) => void seen.push(`<${name} ${JSON.stringify(attributes)}`),
    close: (name: string) => void seen.push(`>${name}`),
    text: (text: string) => void seen.push(text),
  };
  const bytes = Buffer.from(xml as string);
  await readXml(Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]), handler, options);
  return seen;
}

describe('readXml', () => {
  it('gives names by namespace, not by the prefix of the document', async () => {
    expect(await events('<q:a xmlns:q="urn:word" q:v="1" u="2"><![CDATA[<x>]]>&amp;<b/></q:a>')).toEqual([
      '<w:a {"xmlns:q":"urn:word","w:v":"1","u":"2"}',
      '<x>',
      '&',
      '<b {}',
      '>b',
      '>w:a',
    ]);
  });

  it('lets a prefix mean what the nearest element says', async () => {
    const xml =
      '<a xmlns="urn:x" xmlns:w="urn:x"><w:b/><w:b xmlns:w="urn:word" xmlns=""><w:c/><d w:e=""/></w:b><w:b/></a>';
    const names = (await events(xml)).filter((seen) => seen.startsWith('<')).map((seen) => seen.split(' ')[0]);
    expect(names).toEqual(['<a', '<w:b', '<w:b', '<w:c', '<d', '<w:b']);
    const others = await events('<w:a xmlns:w="urn:x"><b xmlns="urn:word"/><w:b/></w:a>');
    expect(others.filter((seen) => seen.startsWith('>'))).toEqual(['>w:b', '>w:b', '>w:a']);
  });

  it.each(['utf-16le', 'utf-16be', 'utf-8'])('reads %s with and without a byte order mark', async (encoding) => {
    for (const addBOM of [true, false]) {
      const bytes = iconv.encode('<?xml version="1.0"?><a>中文</a>', encoding, { addBOM });
      expect((await events(bytes)).join('')).toContain('中文');
    }
  });

  it('believes a declaration', async () => {
    const bytes = iconv.encode('<?xml version="1.0" encoding="GBK"?><a>中文</a>', 'gbk');
    expect((await events(bytes)).join('')).toContain('中文');
  });

  it.each([
    ['an entity that it defines itself', '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>'],
    ['a tag that is not closed', '<a><b></a>'],
    ['no element', ''],
    ['an unknown prefix', '<z:a/>'],
    ['an unknown prefix of an attribute', '<a z:b=""/>'],
    ['a prefix outside its element', '<a><b xmlns:z="urn:z"/><z:c/></a>'],
    ['prefixes without end', `<a ${Array.from({ length: 600 }, (_, i) => `xmlns:p${i}="u"`).join(' ')}/>`],
  ])('does not read %s', async (_, xml) => {
    await expect(events(xml)).rejects.toMatchObject({ code: 'CORRUPT' });
  });

  it('bounds the nesting', async () => {
    await expect(events('<a>'.repeat(21))).rejects.toMatchObject({ code: 'TOO_LARGE', details: { limit: 'depth' } });
  });
});

describe('readXmlTree', () => {
  it('holds elements and text', async () => {
    const root = await readXmlTree(Readable.from([Buffer.from('<a>x<b i="1">y</b><c><b i="2"/></c></a>')]), options);
    expect(elementsIn(root, 'b').map(({ attributes }) => attributes['i'])).toEqual(['1', '2']);
    expect(textIn(elementIn(root, 'a') ?? root)).toBe('xy');
    expect(elementIn(root, 'd')).toBeUndefined();
  });
});

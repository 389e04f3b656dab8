import type { OmittedKind } from '../../writing/omissions.js';

/** What Office files of all kinds may hold that is not in their text, or not as it stands. */
export const omitted = {
  pictures: { code: 'PICTURES_LEFT_OUT', one: 'picture', many: 'pictures' },
  charts: { code: 'CHARTS_LEFT_OUT', one: 'chart', many: 'charts' },
  comments: { code: 'COMMENTS_LEFT_OUT', one: 'comment', many: 'comments' },
  headers: { code: 'HEADERS_LEFT_OUT', one: 'header or footer', many: 'headers and footers' },
  embedded: { code: 'EMBEDDED_LEFT_OUT', one: 'embedded file', many: 'embedded files' },
  external: {
    code: 'EXTERNAL_NOT_LOADED',
    one: 'reference to another place',
    many: 'references to other places',
    became: 'not followed',
  },
  missing: { code: 'PARTS_MISSING', one: 'part that it names', many: 'parts that it names', became: 'not in the file' },
  symbols: {
    code: 'SYMBOLS_UNKNOWN',
    one: 'character of a symbol font',
    many: 'characters of symbol fonts',
    became: 'not known and written as U+FFFD',
  },
  insertions: {
    code: 'CHANGES_ACCEPTED',
    one: 'tracked insertion',
    many: 'tracked insertions',
    became: 'taken as accepted',
  },
  deletions: { code: 'DELETIONS_LEFT_OUT', one: 'tracked deletion', many: 'tracked deletions' },
  hiddenText: { code: 'HIDDEN_LEFT_OUT', one: 'piece of hidden text', many: 'pieces of hidden text' },
  unfinishedFields: {
    code: 'FIELDS_UNFINISHED',
    one: 'character of a field without an end',
    many: 'characters of fields without an end',
  },
} satisfies Record<string, OmittedKind>;

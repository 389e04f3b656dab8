import type { OmittedKind } from '../../writing/omissions.js';

/** What is worth knowing of the sheets of a workbook. */
export const omittedInSheets = {
  hiddenSheets: { code: 'HIDDEN_SHEETS', one: 'hidden sheet', many: 'hidden sheets', became: 'read like the others' },
  hiddenRows: { code: 'HIDDEN_ROWS', one: 'hidden row', many: 'hidden rows', became: 'read like the others' },
  hiddenColumns: {
    code: 'HIDDEN_COLUMNS',
    one: 'hidden column',
    many: 'hidden columns',
    became: 'read like the others',
  },
  hiddenValues: { code: 'HIDDEN_LEFT_OUT', one: 'value that its format hides', many: 'values that their formats hide' },
  emptySheets: { code: 'EMPTY_SHEETS', one: 'sheet', many: 'sheets', became: 'without text' },
  otherSheets: { code: 'SHEETS_LEFT_OUT', one: 'macro or dialog sheet', many: 'macro or dialog sheets' },
  formulas: {
    code: 'FORMULAS_WITHOUT_VALUES',
    one: 'formula',
    many: 'formulas',
    became: 'written instead of a result, which is not in the file',
  },
} satisfies Record<string, OmittedKind>;

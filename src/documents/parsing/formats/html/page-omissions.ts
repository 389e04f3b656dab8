import type { OmittedKind } from '../../writing/omissions.js';

/** What of pages is left out. */
export const omitted = {
  pictures: { code: 'PICTURES_LEFT_OUT', one: 'picture', many: 'pictures' },
  embedded: { code: 'EMBEDDED_LEFT_OUT', one: 'embedded frame or medium', many: 'embedded frames and media' },
  hidden: { code: 'HIDDEN_LEFT_OUT', one: 'hidden part', many: 'hidden parts' },
  formFields: { code: 'FORM_FIELDS_LEFT_OUT', one: 'form field', many: 'form fields' },
  lineNumbers: { code: 'LINE_NUMBERS_LEFT_OUT', one: 'column of line numbers', many: 'columns of line numbers' },
  asides: {
    code: 'NAVIGATION_LEFT_OUT',
    one: 'piece around the main text',
    many: 'pieces around the main text',
  },
} as const satisfies Record<string, OmittedKind>;

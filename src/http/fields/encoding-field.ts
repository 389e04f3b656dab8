import { encodingNamed } from '../../documents/parsing/text/encoding/known-encodings.js';
import { field, type About } from './field.js';

/** The name of an encoding that sources can be read as. */
export function EncodingField(about: About<string>): PropertyDecorator {
  return field(about, {
    schema: { type: 'string' },
    fault: (value) =>
      typeof value === 'string' && typeof encodingNamed(value) === 'string'
        ? undefined
        : 'must be the name of a known encoding, for example utf-8, gb18030 or windows-1252',
  });
}

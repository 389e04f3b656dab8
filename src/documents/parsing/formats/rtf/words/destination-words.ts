import { pictureText } from '../../../writing/picture-text.js';
import { omitted } from '../../ooxml/omitted.js';
import { KeptPieces } from '../../word-processing/piece-target.js';
import { dead, mute, TableEntries } from '../destinations.js';
import { RowDraft } from '../row-draft.js';
import { each, type WordReader, type WordReaders } from './word-reader.js';

/** Groups that hold nothing of the text. Those that begin with an optional word are passed over without being named. */
const useless =
  'colortbl info filetbl nonshppict shprslt nonesttables xe tc tcn rxe pntxta pntxtb leveltext levelnumbers listname ' +
  'fldinst datafield formfield ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn private template atnid atnauthor atnref atndate ' +
  'objdata objclass';
/** Groups that old programs are told to pass over, while what is in them is text. */
const optional = 'shppict shpinst picprop result cs ds ts';
const surroundings = 'header headerl headerr headerf footer footerl footerr footerf';

const passOver: WordReader = (reader) => reader.enter(dead);

/** The mark of a paragraph as an item of a list. */
const listText: WordReader = (reader) => {
  const { flow } = reader.state;
  reader.gather((text) => flow.markItem(text));
};

/** A text box: it follows the paragraph that it is fixed to. */
const box: WordReader = (reader) => {
  const { flow } = reader.state;
  const pieces = new KeptPieces();
  reader.atEnd(() => flow.addBox(pieces));
  reader.enterFlow(pieces);
};

const comment: WordReader = (reader) => reader.gather((text) => reader.omit(omitted.comments, text));
const surrounding: WordReader = (reader) => reader.gather((text) => reader.omit(omitted.headers, text));

/** A property of a shape: what it shows, in the words of its author, is text. */
const property: WordReader = (reader) => {
  const said = { name: '', value: '' };
  const { flow } = reader.state;
  reader.property = said;
  reader.enter(mute);
  reader.atEnd(() => {
    const alt = said.name === 'wzDescription' ? pictureText(said.value) : '';
    if (alt !== '') flow.write(`[${alt}]`);
  });
};

/** Words that begin groups of other kinds than text. */
export const destinationWords: WordReaders = {
  ...each(useless, passOver),
  ...each(optional, () => undefined),
  ...each(surroundings, surrounding),
  fonttbl: (reader) => reader.enter(new TableEntries(reader.facts.fonts)),
  stylesheet: (reader) => reader.enter(new TableEntries(reader.facts.styles)),
  listtext: listText,
  pntext: listText,
  annotation: comment,
  shptxt: box,
  dptxbxtext: box,
  do: (reader) => reader.enter(mute),
  // The same text twice: for old programs, and in Unicode.
  upr: (reader) => reader.enter(mute),
  ud: (reader) => reader.enter(reader.state.flow),
  pict(reader) {
    if (!reader.state.isPreview) reader.facts.omissions.add(omitted.pictures);
    reader.enter(mute);
  },
  object(reader) {
    reader.facts.omissions.add(omitted.embedded);
    reader.set({ isPreview: true });
  },
  sp: property,
  sn: (reader) => reader.gather((text) => (reader.property.name = text)),
  sv: (reader) => reader.gather((text) => (reader.property.value = text)),
  nesttableprops(reader) {
    const outer = reader.row;
    reader.row = new RowDraft();
    reader.atEnd(() => (reader.row = outer));
  },
};

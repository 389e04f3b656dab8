import type { XmlAttributes } from '../../../containers/xml-events.js';
import type { OdtStory } from '../odt-story.js';

/** What an element does to the text that is read. */
export interface ElementReader {
  open?(story: OdtStory, attributes: XmlAttributes): void;
  close?(story: OdtStory): void;
}

export type ElementReaders = Readonly<Record<string, ElementReader>>;

import type { XmlAttributes } from '../../../containers/xml-events.js';
import type { Story } from '../story.js';

/** What an element does to the text that it stands in. */
export interface ElementReader {
  open?(story: Story, attributes: XmlAttributes): void;
  close?(story: Story): void;
}

export type ElementReaders = Readonly<Record<string, ElementReader>>;

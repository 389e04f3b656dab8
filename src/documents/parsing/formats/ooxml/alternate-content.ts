import type { XmlAttributes, XmlHandler } from '../../containers/xml-events.js';

/** Extensions whose content is read, by the prefixes that Office always gives them. */
const understood = /^(?:w(?:ps|pg|pc|pi|p14|1[0-9]\w*|ne)|[apxcv]1[0-9]\w*|c[sx]\d*|am3d|v|o|ma)$/;

interface Choice {
  isTaken: boolean;
}

/**
 * Shows one branch of each `mc:AlternateContent`: files say the same thing in it several times, for newer and for older
 * programs. The elements of the choice itself are not shown.
 */
export class OneAlternative implements XmlHandler {
  private readonly choices: Choice[] = [];
  /** How many elements of a branch that is not taken are open. */
  private skipped = 0;

  constructor(private readonly handler: XmlHandler) {}

  open(name: string, attributes: XmlAttributes): void {
    if (this.skipped > 0) this.skipped += 1;
    else if (name === 'mc:AlternateContent') this.choices.push({ isTaken: false });
    else if (!isBranch(name)) this.handler.open(name, attributes);
    else this.openBranch(name, attributes['Requires'] ?? '');
  }

  close(name: string): void {
    if (this.skipped > 0) this.skipped -= 1;
    else if (name === 'mc:AlternateContent') this.choices.pop();
    else if (!isBranch(name)) this.handler.close(name);
  }

  text(text: string): void {
    if (this.skipped === 0) this.handler.text?.(text);
  }

  private openBranch(name: string, requires: string): void {
    const choice = this.choices.at(-1);
    const isReadable = name === 'mc:Fallback' || requires.split(/\s+/).every((prefix) => understood.test(prefix));
    if (choice?.isTaken || !isReadable) this.skipped = 1;
    else if (choice) choice.isTaken = true;
  }
}

function isBranch(name: string): boolean {
  return name === 'mc:Choice' || name === 'mc:Fallback';
}

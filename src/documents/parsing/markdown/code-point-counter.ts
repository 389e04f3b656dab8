/** Turns rising places in UTF-16 units into code points, in one walk over the text. */
export class CodePointCounter {
  private at = 0;
  private surrogatePairs = 0;

  constructor(private readonly text: string) {}

  before(place: number): number {
    for (; this.at < place; this.at += 1) {
      const code = this.text.charCodeAt(this.at);
      if (code >= 0xdc00 && code <= 0xdfff) this.surrogatePairs += 1;
    }
    return place - this.surrogatePairs;
  }
}

const mostNamed = 10;

/** Counts rows that have not as many fields as the first one. */
export class RaggedRows {
  private row = 0;
  private columns = 0;
  private ragged = 0;
  private readonly named: number[] = [];

  see(fields: number): void {
    this.row += 1;
    if (this.row === 1) this.columns = fields;
    if (fields === this.columns) return;
    this.ragged += 1;
    if (this.named.length < mostNamed) this.named.push(this.row);
  }

  /** One sentence about them, if there were any. */
  describe(): string | undefined {
    if (this.ragged === 0) return undefined;
    const rows = this.named.join(', ') + (this.ragged > this.named.length ? ', …' : '');
    return `${this.ragged} of ${this.row} rows have not ${this.columns} fields like the first one (rows ${rows}); all their fields were kept.`;
  }
}

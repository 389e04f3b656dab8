/** Counts how much may be worked on at once, and tells when room is made. */
export class Slots {
  private taken = 0;

  constructor(
    private readonly width: number,
    private readonly onFree: () => void,
  ) {}

  get free(): number {
    return this.width - this.taken;
  }

  get full(): boolean {
    return this.free <= 0;
  }

  /** @throws RangeError when there is no room: look at `full` first. */
  take(): void {
    if (this.full) throw new RangeError('no slot is free');
    this.taken += 1;
  }

  release(): void {
    this.taken -= 1;
    this.onFree();
  }
}

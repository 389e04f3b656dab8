import type { ParseWarning } from '../../../domain/text/block.js';

/** More would help nobody, and a hostile file could give rise to millions. */
const mostWarnings = 50;

/** Warnings of one reading: each once, and a bounded number. */
export class WarningList {
  private readonly warnings = new Map<string, ParseWarning>();
  private further = 0;

  add(warning: ParseWarning): void {
    const key = `${warning.code} ${warning.message}`;
    if (this.warnings.has(key)) return;
    if (this.warnings.size < mostWarnings) this.warnings.set(key, warning);
    else this.further += 1;
  }

  toList(): ParseWarning[] {
    const further = { code: 'MORE_WARNINGS', message: `There were ${this.further} more warnings.` };
    return [...this.warnings.values(), ...(this.further > 0 ? [further] : [])];
  }
}

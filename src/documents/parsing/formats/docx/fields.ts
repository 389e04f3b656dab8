/** A choice or tick box of a form, whose result is not written out. */
export interface FormField {
  isTicked?: boolean;
  readonly entries: string[];
  selected: number;
}

interface Field {
  showsResult: boolean;
  form: FormField | undefined;
}

/** Fields that are open at a place of a text: their instructions are not shown, their results are. */
export class Fields {
  private readonly open: Field[] = [];
  /** How many of them are still in their instruction. */
  private instructing = 0;
  private hidden = 0;

  begin(): void {
    this.open.push({ showsResult: false, form: undefined });
    this.instructing += 1;
  }

  separate(): void {
    const field = this.open.at(-1);
    if (field) this.showResult(field);
  }

  /** @returns what the field shows besides its result */
  end(): string {
    const field = this.open.pop();
    if (!field) return '';
    const { form, showsResult } = field;
    this.showResult(field);
    if (form?.isTicked !== undefined) return form.isTicked ? '☒' : '☐';
    return showsResult ? '' : (form?.entries[form.selected] ?? '');
  }

  /** The form that the innermost field holds. */
  form(): FormField {
    const field = this.open.at(-1);
    const form = field?.form ?? { entries: [], selected: 0 };
    if (field) field.form = form;
    return form;
  }

  /** Whether a place is within an instruction. */
  get hidesText(): boolean {
    return this.instructing > 0;
  }

  /** Notes text that is not shown because it is within an instruction. */
  hide(text: string): void {
    this.hidden += text.length;
  }

  /** Characters that were not shown because a field never came to its result. */
  get unfinished(): number {
    return this.instructing > 0 ? this.hidden : 0;
  }

  private showResult(field: Field): void {
    if (!field.showsResult) this.instructing -= 1;
    field.showsResult = true;
    if (this.instructing === 0) this.hidden = 0;
  }
}

import { listMark, type ListMark, type Numbering } from '../../writing/list-mark.js';
import type { HtmlAttributes } from './html-tags.js';
import type { Leave } from './open-elements.js';
import type { PageFlow } from './page-flow.js';

interface CountedList {
  readonly numbering: Numbering | undefined;
  readonly step: 1 | -1;
  next: number;
}

const numberings: Readonly<Record<string, Numbering>> = {
  a: 'lowerAlpha',
  A: 'upperAlpha',
  i: 'lowerRoman',
  I: 'upperRoman',
};
const styles: readonly (readonly [RegExp, Numbering])[] = [
  [/list-style(?:-type)?\s*:[^;]*\blower-(?:alpha|latin)/i, 'lowerAlpha'],
  [/list-style(?:-type)?\s*:[^;]*\bupper-(?:alpha|latin)/i, 'upperAlpha'],
  [/list-style(?:-type)?\s*:[^;]*\blower-roman/i, 'lowerRoman'],
  [/list-style(?:-type)?\s*:[^;]*\bupper-roman/i, 'upperRoman'],
];

/** Counts the items of the lists of a page. */
export class PageLists {
  private readonly open: CountedList[] = [];

  constructor(private readonly flow: PageFlow) {}

  beginList(isOrdered: boolean, attributes: HtmlAttributes): Leave {
    const start = integer(attributes.get('start'));
    // Where a list counts down without saying from where, its items would have to be counted first.
    const isCounted = isOrdered && !(attributes.has('reversed') && start === undefined);
    const numbering = isCounted ? numberingOf(attributes) : undefined;
    this.open.push({ numbering, step: attributes.has('reversed') ? -1 : 1, next: start ?? 1 });
    const leave = this.flow.beginList();
    return () => {
      leave();
      this.open.pop();
    };
  }

  /** An item outside any list has one of its own. */
  beginItem(attributes: HtmlAttributes): Leave {
    const list = this.open.at(-1);
    if (list) return this.flow.beginItem(nextMark(list, integer(attributes.get('value'))));
    const leaveList = this.flow.beginList();
    const leaveItem = this.flow.beginItem({});
    return () => {
      leaveItem();
      leaveList();
    };
  }

  /** A description stands below its term. */
  beginTerm(isDescription: boolean): Leave {
    return this.flow.beginItem({}, isDescription ? 1 : 0);
  }
}

function nextMark(list: CountedList, value: number | undefined): ListMark {
  if (list.numbering === undefined) return {};
  const number = value ?? list.next;
  list.next = number + list.step;
  return listMark(list.numbering, number);
}

function numberingOf(attributes: HtmlAttributes): Numbering {
  const style = attributes.get('style') ?? '';
  const styled = styles.find(([pattern]) => pattern.test(style))?.[1];
  return styled ?? numberings[attributes.get('type') ?? ''] ?? 'decimal';
}

function integer(value: string | undefined): number | undefined {
  const number = Number.parseInt(value ?? '', 10);
  return Number.isSafeInteger(number) ? number : undefined;
}

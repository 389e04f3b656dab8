import { childrenOf, elementIn, elementsIn, textIn, type XmlElement } from '../../containers/xml-tree.js';
import type { Piece } from '../../writing/pieces.js';
import { bodyText } from './text-body.js';
import { ValueFormat } from './value-format.js';

/** A chart with more values than this is no table that anybody reads. */
const mostPoints = 500;
const mostSeries = 30;

/** Values of a series, or the names of its points, by their place. */
type Points = ReadonlyMap<number, string>;

/**
 * What a chart says: its title, the titles of its axes, and its values as they were last shown, a row for each point.
 *
 * @param root of its part
 * @returns undefined for a chart without values at hand, or with too many
 */
export function chartPieces(root: XmlElement): Piece[] | undefined {
  const series = elementsIn(root, 'c:ser').slice(0, mostSeries + 1);
  const values = series.map((one) => pointsOf(childrenOf(one, 'c:val')[0] ?? childrenOf(one, 'c:yVal')[0]));
  const places = [...new Set(values.flatMap((points) => [...points.keys()]))].sort((a, b) => a - b);
  if (places.length === 0 || places.length > mostPoints || series.length > mostSeries) return undefined;
  const [first] = series;
  const names = first
    ? pointsOf(childrenOf(first, 'c:cat')[0] ?? childrenOf(first, 'c:xVal')[0])
    : new Map<number, string>();
  const header = ['', ...series.map(seriesName)];
  const rows = places.map((place) => [names.get(place) ?? '', ...values.map((points) => points.get(place) ?? '')]);
  const cells = (texts: readonly string[]): { text: string }[] => texts.map((text) => ({ text }));
  return [
    ...elementsIn(root, 'c:title').map((title): Piece => ({ kind: 'caption', text: bodyText(title) })),
    { kind: 'table', rows: [{ cells: cells(header), isHeader: true }, ...rows.map((row) => ({ cells: cells(row) }))] },
  ];
}

function seriesName(series: XmlElement): string {
  const [name] = childrenOf(series, 'c:tx');
  return name ? elementsIn(name, 'c:v').map(textIn).join(' ') : '';
}

/** Points of the innermost level with the names of outer levels before theirs. */
function pointsOf(source: XmlElement | undefined): Points {
  const points = new Map<number, string>();
  if (!source) return points;
  const levels = elementsIn(source, 'c:lvl');
  const [inner, ...outer] = (levels.length > 0 ? levels : [source]).map(levelPoints);
  for (const [place, name] of inner ?? []) {
    const before = outer.map((level) => lastUpTo(level, place)).reverse();
    points.set(place, [...before, name].filter((part) => part !== '').join(' / '));
  }
  return points;
}

function levelPoints(level: XmlElement): Points {
  const code = elementIn(level, 'c:formatCode');
  const common = code && textIn(code);
  return new Map(
    elementsIn(level, 'c:pt')
      .slice(0, mostPoints + 1)
      .map((point) => {
        const written = elementsIn(point, 'c:v').map(textIn).join('');
        const format = point.attributes['formatCode'] ?? common;
        return [Number(point.attributes['idx']), format === undefined ? written : shown(format, written)];
      }),
  );
}

function shown(code: string, written: string): string {
  return new ValueFormat(0, code, false).number(written);
}

/** Names of outer levels hold until the next one. */
function lastUpTo(level: Points, place: number): string {
  const before = [...level].filter(([at]) => at <= place);
  return before.at(-1)?.[1] ?? '';
}

const isoDate = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d(?:\.\d+)?))?)?Z?$/;
const firstDay = Date.UTC(1899, 11, 30);
const dayMs = 86_400_000;

/** The day that a written date is, as dates that count from 1900 do; undefined if it is none. */
export function serialOf(date: string): number | undefined {
  const found = isoDate.exec(date.trim());
  if (!found) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1)
    .map((part) => Number(part ?? 0));
  const ms = Date.UTC(year, month - 1, day, hour, minute) + second * 1_000;
  return (ms - firstDay) / dayMs;
}

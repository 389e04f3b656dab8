/** A time as answers give it: ISO 8601, UTC, with milliseconds. */
export type TimeText = string;

export function timeText(time: Date): TimeText;
export function timeText(time: Date | null): TimeText | null;
/** Gives a time of the database its form in answers. */
export function timeText(time: Date | null): TimeText | null {
  return time === null ? null : time.toISOString();
}

/** Gives a time that is kept as text its form in answers. */
export function steadyTime(text: string | null): TimeText | null {
  return text === null ? null : new Date(text).toISOString();
}

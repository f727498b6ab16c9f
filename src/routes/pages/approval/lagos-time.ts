import { lazy } from '#lib/lazy.ts';

const format = lazy(
  () =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Africa/Lagos',
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
);

/** As Sunday 22 November 2026 at 09:05. */
export function lagosTime(at: Date): string {
  const parts = new Map(
    format()
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  return `${part('weekday')} ${part('day')} ${part('month')} ${part('year')} at\u00A0${part('hour')}:${part('minute')}`;
}

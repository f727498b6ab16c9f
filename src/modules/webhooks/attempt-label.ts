import { metricList } from '#lib/meter.ts';

const labels = metricList.paytag_webhook_attempts_total.labels.outcome;

/** How a webhook attempt ended, in few words: a label of metrics. */
type AttemptLabel = (typeof labels)[number];

const byError: ReadonlyMap<string, AttemptLabel> = new Map([
  ...labels.map((label) => [label, label] as const),
  ['blocked target', 'blocked'],
]);
const STATUS = /^status ([2345])\d\d$/;

/** The label of an attempt's error, null being none. */
export function attemptLabel(error: string | null): AttemptLabel {
  if (error === null) return 'delivered';
  const [, hundreds] = STATUS.exec(error) ?? [];
  if (hundreds !== undefined) return `status_${hundreds as '2' | '3' | '4' | '5'}xx`;
  return error.startsWith('status ') ? 'status_other' : (byError.get(error) ?? 'other');
}

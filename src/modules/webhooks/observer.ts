/** How a webhook attempt ended, in few words: a label of metrics. */
export const attemptLabels = [
  'delivered',
  'timeout',
  'dns',
  'refused',
  'unreachable',
  'reset',
  'tls',
  'blocked',
  'status_2xx',
  'status_3xx',
  'status_4xx',
  'status_5xx',
  'status_other',
  'other',
] as const;
export type AttemptLabel = (typeof attemptLabels)[number];

/** Counts what happens to deliveries. */
export interface DeliveryObserver {
  attempted(label: AttemptLabel): void;
  /** `afterMs` is the time from the commit of the event to its delivery. */
  delivered(afterMs: number): void;
  /** No attempt is left. */
  failed(): void;
  breakerOpened(): void;
}

const byError: ReadonlyMap<string, AttemptLabel> = new Map([
  ...attemptLabels.map((label) => [label, label] as const),
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

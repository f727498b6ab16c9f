/** What a webhook attempt came to, in few words: a label of metrics. */
export const outcomeClasses = [
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
export type OutcomeClass = (typeof outcomeClasses)[number];

/** Is told what happens to deliveries. */
export interface DeliveryObserver {
  attempted(outcome: OutcomeClass): void;
  /** `afterMs` is the time from the commit of what is told to its delivery. */
  delivered(afterMs: number): void;
  /** No attempt is left. */
  failed(): void;
  breakerOpened(): void;
}

const classes: ReadonlyMap<string, OutcomeClass> = new Map([
  ...outcomeClasses.map((name) => [name, name] as const),
  ['blocked target', 'blocked'],
]);
const STATUS = /^status ([2345])\d\d$/;

/** The class of an attempt's error, null being none. */
export function outcomeClass(error: string | null): OutcomeClass {
  if (error === null) return 'delivered';
  const [, hundreds] = STATUS.exec(error) ?? [];
  if (hundreds !== undefined) return `status_${hundreds as '2' | '3' | '4' | '5'}xx`;
  return error.startsWith('status ') ? 'status_other' : (classes.get(error) ?? 'other');
}

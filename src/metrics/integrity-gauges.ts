import type { IntegrityState } from '#modules/integrity';
import { Gauge, type Registry } from '#prom-client';

/** Makes the gauges of the checks. @returns what shows a state on them; without one they are not there */
export function createIntegrityGauges(registers: Registry[]): (state: IntegrityState | undefined) => void {
  const gauge = <Label extends string>(name: string, help: string, label: Label) =>
    new Gauge({ name: `paytag_integrity_${name}`, help, registers, labelNames: [label] });
  const violations = gauge(
    'violations',
    'Rows that break an invariant, as the last check of everything or one since has found',
    'invariant',
  );
  const unfinished = gauge(
    'unfinished',
    '1 where the last check of everything, or one since, could not tell an invariant to its end',
    'invariant',
  );
  const success = gauge(
    'last_success_timestamp_seconds',
    'When a check last ended that told every invariant and found none broken, of everything (whole) and of what is new (recent)',
    'kind',
  );
  const duration = gauge('duration_seconds', 'How long the last check took, by kind', 'kind');

  return (state) => {
    for (const one of [violations, unfinished, success, duration]) one.reset();
    for (const { name: invariant, violations: rows, isUnfinished } of state?.invariants ?? []) {
      violations.set({ invariant }, rows);
      unfinished.set({ invariant }, isUnfinished ? 1 : 0);
    }
    for (const { kind, lastSuccessAt, durationMs } of state?.kinds ?? []) {
      success.set({ kind }, (lastSuccessAt?.getTime() ?? 0) / 1000);
      duration.set({ kind }, durationMs / 1000);
    }
  };
}

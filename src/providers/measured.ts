import type { LabelsOf, Meter } from '#lib/meter.ts';
import { runIn, startPart } from '#lib/tracing.ts';

type Service = NonNullable<LabelsOf<'paytag_provider_up'>['service']>;
type Call = (...given: never[]) => Promise<unknown>;

/** What the errors of the ports are called that say that nobody answered, or nothing that can be used. */
const DOWN = /(Down|NotSent|Unknown)$/;

/** What goes on around the calls of providers. */
export interface AroundCalls {
  readonly metrics: Meter;
  /** Runs a call: it may take long, and takes no place among what runs here meanwhile. */
  readonly elsewhere: <Result>(call: () => Promise<Result>) => Promise<Result>;
}

/**
 * The same provider, with its calls measured: how long each took, and whether it did what it was asked to.
 *
 * @param calls the names of its calls
 */
export function measured<Provider extends object>(
  { metrics, elsewhere }: AroundCalls,
  { service, provider }: { service: Service; provider: string },
  one: Provider,
  calls: readonly (keyof Provider)[],
): Provider {
  metrics.set('paytag_provider_up', { service, provider }, 1);
  const measure =
    (name: string, call: Call): Call =>
    async (...given) => {
      const beganAt = performance.now();
      const span = startPart(`${service} ${name}`, { kind: 'client', attributes: { 'paytag.provider': provider } });
      const ended = (outcome: 'ok' | 'refused' | 'down') => {
        const seconds = (performance.now() - beganAt) / 1000;
        metrics.observe('paytag_provider_call_duration_seconds', { service, provider, outcome }, seconds);
        metrics.set('paytag_provider_up', { service, provider }, outcome === 'down' ? 0 : 1);
        span?.end(outcome === 'ok' ? undefined : outcome);
      };
      try {
        const result = await elsewhere(() => runIn(span, async () => call.apply(one, given)));
        ended('ok');
        return result;
      } catch (error) {
        ended(error instanceof Error && DOWN.test(error.name) ? 'down' : 'refused');
        throw error;
      }
    };
  return { ...one, ...Object.fromEntries(calls.map((name) => [name, measure(String(name), one[name] as Call)])) };
}

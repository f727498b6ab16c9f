import { startReceiver } from './receiver.ts';

/** A span as a collector has it. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

interface OtlpAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}
type OtlpSpan = Omit<CollectedSpan, 'attributes'> & { readonly attributes: readonly OtlpAttribute[] };
interface Otlp {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

const attributesOf = (given: readonly OtlpAttribute[]): Record<string, unknown> =>
  Object.fromEntries(given.map(({ key, value }) => [key, Object.values(value)[0]]));

export type Collector = Awaited<ReturnType<typeof startCollector>>;

/** What takes traces by OTLP over HTTP, as JSON. */
export async function startCollector() {
  const receiver = await startReceiver();
  const posted = (): Otlp[] =>
    receiver.requests
      .filter(({ path }) => path === '/v1/traces')
      .map(({ body }) => JSON.parse(body.toString('utf8')) as Otlp);
  return {
    /** Its origin: for OTEL_EXPORTER_OTLP_ENDPOINT. */
    url: new URL(receiver.url).origin,
    /** The requests as they came. */
    get received(): string {
      return receiver.requests.map(({ headers, body }) => JSON.stringify(headers) + body.toString('utf8')).join('\n');
    },
    get spans(): CollectedSpan[] {
      const spans = posted().flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
      );
      return spans.map(({ attributes, ...span }) => ({ ...span, attributes: attributesOf(attributes) }));
    },
    /** What the processes say of themselves. */
    get resources(): Record<string, unknown>[] {
      return posted().flatMap(({ resourceSpans }) =>
        resourceSpans.map(({ resource }) => attributesOf(resource.attributes)),
      );
    },
    close: () => receiver.close(),
  };
}

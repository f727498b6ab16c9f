import * as api from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import * as sdk from '@opentelemetry/sdk-trace-base';
import type { Logger } from 'pino';
import { outageLogger } from '#lib/log.ts';
import { type Span, type StartSpan, traceWith } from '#lib/tracing.ts';

// Loaded only where traces are exported: no other file imports OpenTelemetry.

/** Spans that have not been sent by then are lost. */
const CLOSE_MAX_MS = 3_000;

interface TracingSettings {
  /** The receiver of spans. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly resource: Readonly<Record<string, string>>;
  readonly sampler: 'always_on' | 'always_off' | 'traceidratio';
  /** Whether the caller's sampling decision overrides the sampler. */
  readonly asParent: boolean;
  readonly ratio: number;
}

/** Traces this process from now on. `close` sends the remaining spans. */
export function openTracing(
  { url, headers, serviceName, resource, sampler, asParent, ratio }: TracingSettings,
  { version, environment, role, log }: { version: string; environment: string; role: string; log: Logger },
): { close(): Promise<void> } {
  const sending = outageLogger(log, 'sending traces');
  const root = {
    always_on: () => new sdk.AlwaysOnSampler(),
    always_off: () => new sdk.AlwaysOffSampler(),
    traceidratio: () => new sdk.TraceIdRatioBasedSampler(ratio),
  }[sampler]();
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers } });
  const provider = new sdk.BasicTracerProvider({
    resource: resourceFromAttributes({
      ...resource,
      'service.name': serviceName,
      'service.version': version,
      'deployment.environment.name': environment,
      'paytag.role': role,
    }),
    sampler: asParent ? new sdk.ParentBasedSampler({ root }) : root,
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        export: (spans, done) => {
          exporter.export(spans, (result) => {
            const { code }: { code: number } = result;
            if (code === 0) sending.recovered();
            else sending.failed(result.error);
            done(result);
          });
        },
        shutdown: () => exporter.shutdown(),
        forceFlush: () => exporter.forceFlush(),
      }),
    ],
  });
  traceWith(startSpanWith(provider.getTracer('paytag', version)));
  return {
    async close() {
      traceWith(undefined);
      sending.end();
      const timeout = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MAX_MS).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), timeout]);
    },
  };
}

const KINDS = { server: api.SpanKind.SERVER, client: api.SpanKind.CLIENT, internal: api.SpanKind.INTERNAL };
const TRACEPARENT = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})/;

function startSpanWith(tracer: api.Tracer): StartSpan {
  const contextOf = (given: string): api.SpanContext | undefined => {
    const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(given) ?? [];
    return traceId === '' ? undefined : { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  };

  return (name, { kind, attributes = {}, parent, links = [] }) => {
    const above = contextOf(typeof parent === 'string' ? parent : (parent?.traceparent ?? ''));
    const context = above === undefined ? api.ROOT_CONTEXT : api.trace.setSpanContext(api.ROOT_CONTEXT, above);
    const linked = links.flatMap(({ traceparent }) => contextOf(traceparent) ?? []).map((one) => ({ context: one }));
    const span = tracer.startSpan(name, { kind: KINDS[kind], attributes, links: linked }, context);
    if (!span.isRecording()) return undefined;
    const { traceId, spanId } = span.spanContext();
    const started: Span = {
      traceId,
      spanId,
      traceparent: `00-${traceId}-${spanId}-01`,
      set: (more) => void span.setAttributes(more),
      end(failure) {
        if (failure !== undefined)
          span.setAttribute('error.type', failure).setStatus({ code: api.SpanStatusCode.ERROR });
        span.end();
      },
    };
    return started;
  };
}

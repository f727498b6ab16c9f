import type { Variables } from './variables.ts';

/** What tracing is set up with. */
export interface TracingConfig {
  /** Where spans go. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly resource: Readonly<Record<string, string>>;
  readonly sampler: 'always_on' | 'always_off' | 'traceidratio';
  /** Whether a caller's own decision goes before the sampler's. */
  readonly asParent: boolean;
  readonly ratio: number;
}

const PARENT_BASED = 'parentbased_';

/** Undefined where nothing is traced. */
export function tracingOf(read: Variables): TracingConfig | undefined {
  const endpoint = read.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return undefined;
  const sampler = read.OTEL_TRACES_SAMPLER;
  return {
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    headers: read.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    serviceName: read.OTEL_SERVICE_NAME,
    resource: read.OTEL_RESOURCE_ATTRIBUTES ?? {},
    sampler: sampler.replace(PARENT_BASED, '') as TracingConfig['sampler'],
    asParent: sampler.startsWith(PARENT_BASED),
    ratio: read.OTEL_TRACES_SAMPLER_ARG,
  };
}

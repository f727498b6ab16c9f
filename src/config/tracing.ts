import type { z } from 'zod';
import { choice, matching, url } from './formats.ts';

const pairs = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split(',')
      .map((pair) => pair.trim())
      .filter((pair) => pair !== '')
      .map((pair) => [pair.slice(0, pair.indexOf('=')), decodeURIComponent(pair.slice(pair.indexOf('=') + 1))]),
  );
const PAIRS = /^(\s*[\w.-]+=[\x21-\x24\x26-\x2b\x2d-\x7e%]*\s*(,|$))*$/;
const PAIRS_FORMAT = 'must be pairs such as key=value, with commas between them';

/** Variables that OpenTelemetry's packages read themselves. */
const READ_BY_PACKAGES =
  /^OTEL_(BSP_(SCHEDULE_DELAY|EXPORT_TIMEOUT|MAX_QUEUE_SIZE|MAX_EXPORT_BATCH_SIZE)|(SPAN_)?ATTRIBUTE_(COUNT|VALUE_LENGTH)_LIMIT|SPAN_(EVENT|LINK)_COUNT_LIMIT|SPAN_ATTRIBUTE_PER_(EVENT|LINK)_COUNT_LIMIT|EXPORTER_OTLP_(TRACES_)?(TIMEOUT|COMPRESSION|CERTIFICATE|CLIENT_KEY|CLIENT_CERTIFICATE))$/;

/**
 * The variables of OpenTelemetry that are set and have no effect here: misspelt, or not supported. Other programs on this machine may
 * use them, so the server starts all the same.
 */
export const ignoredTracing = (env: Readonly<Record<string, string | undefined>>): string[] =>
  Object.keys(env)
    .filter((name) => /^OTEL_/i.test(name) && !READ_BY_PACKAGES.test(name))
    .filter((name) => !(name.replace(/_FILE$/, '') in tracingVariables))
    .toSorted();

/** Variables of tracing, by the names that OpenTelemetry gives them. */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: url(/^https?$/, 'an http:// or https:// URL')
    .optional()
    .describe('where traces are sent by OTLP over HTTP, to its /v1/traces; without it nothing is traced'),
  OTEL_EXPORTER_OTLP_HEADERS: matching(PAIRS, PAIRS_FORMAT)
    .transform(pairs)
    .optional()
    .describe('headers that are sent with traces, e.g. authorization=Bearer%20…'),
  OTEL_SERVICE_NAME: matching(/^[\w.-]{1,100}$/, 'must be letters, digits, . - or _')
    .default('paytag')
    .describe('name of this service in traces'),
  OTEL_RESOURCE_ATTRIBUTES: matching(PAIRS, PAIRS_FORMAT)
    .transform(pairs)
    .optional()
    .describe('further attributes of this process in traces, e.g. service.namespace=payments'),
  OTEL_TRACES_SAMPLER: choice(
    'always_on',
    'always_off',
    'traceidratio',
    'parentbased_always_on',
    'parentbased_always_off',
    'parentbased_traceidratio',
  )
    .default('parentbased_always_on')
    .describe('which requests are traced; parentbased_… follows the decision of a caller that sends one'),
  OTEL_TRACES_SAMPLER_ARG: matching(/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/, 'must be a number from 0 to 1')
    .transform(Number)
    .default(1)
    .describe('the share of requests that …traceidratio traces'),
};

/** The configuration of tracing. */
export interface TracingConfig {
  /** Where spans go. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly resource: Readonly<Record<string, string>>;
  readonly sampler: 'always_on' | 'always_off' | 'traceidratio';
  /** Whether the caller's sampling decision overrides the sampler. */
  readonly asParent: boolean;
  readonly ratio: number;
}

const PARENT_BASED = 'parentbased_';

/** Undefined where nothing is traced. */
export function tracingOf(read: Readonly<z.output<z.ZodObject<typeof tracingVariables>>>): TracingConfig | undefined {
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

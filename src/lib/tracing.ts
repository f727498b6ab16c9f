import { AsyncLocalStorage } from 'node:async_hooks';

/** The attributes of a span: our own words and numbers, by OpenTelemetry's names; never a URL, a body, or a person's name or id. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** A piece of work that takes part in a trace. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** The W3C `traceparent` header of this span. */
  readonly traceparent: string;
  set(attributes: SpanAttributes): void;
  /** @param failure why it failed, in a word; never a message, which may quote a request */
  end(failure?: string): void;
}

export interface SpanOptions {
  readonly kind: 'server' | 'client' | 'internal';
  readonly attributes?: SpanAttributes;
  /** The parent: a span or a W3C header. The caller's span by default. */
  readonly parent?: Span | string | undefined;
  /** Further spans that caused it. */
  readonly links?: readonly Span[];
}

/** Begins a span; undefined where the trace is not sampled. */
export type StartSpan = (name: string, options: SpanOptions) => Span | undefined;

const running = new AsyncLocalStorage<Span | undefined>();
let start: StartSpan | undefined;

/** Traces this process from now on; undefined: nothing is traced, at no cost. */
export function traceWith(startSpan: StartSpan | undefined): void {
  start = startSpan;
}

/** True while this process traces. */
export const isTracing = (): boolean => start !== undefined;

/** The span in which the caller runs. */
export const currentSpan = (): Span | undefined => (start === undefined ? undefined : running.getStore());

/** Begins a span, which the caller ends. Undefined where nothing is traced. */
export const startSpan = (name: string, options: SpanOptions): Span | undefined =>
  start?.(name, 'parent' in options ? options : { ...options, parent: running.getStore() });

/** The setting that carries the trace of a transaction to `webhooks.delivery`. */
export const TRACEPARENT_SETTING = 'paytag.traceparent';

/** Begins a span if the caller runs in one. Background work begins no trace. */
export const startPart = (name: string, options: SpanOptions): Span | undefined =>
  currentSpan() === undefined ? undefined : startSpan(name, options);

/** Runs work in a span, which becomes the parent of further spans. */
export const runIn = <Result>(span: Span | undefined, work: () => Result): Result =>
  span === undefined ? work() : running.run(span, work);

/** The same function, which runs in the span in which it was made. Only while this process traces. */
export const keepSpan = <Call extends (...given: never[]) => unknown>(call: Call): Call =>
  currentSpan() === undefined ? call : AsyncLocalStorage.bind<Call>(call);

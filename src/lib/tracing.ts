import { AsyncLocalStorage } from 'node:async_hooks';

/** What a span says of itself: words and numbers of ours, by OpenTelemetry's names; never a URL, a body, a name or an id of a person. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** A piece of work that takes part in a trace. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** As a W3C header, for whoever goes on with the trace. */
  readonly traceparent: string;
  set(attributes: SpanAttributes): void;
  /** @param failure why it failed, in a word; never a message, which may quote what somebody sent */
  end(failure?: string): void;
}

export interface SpanOptions {
  readonly kind: 'server' | 'client' | 'internal';
  readonly attributes?: SpanAttributes;
  /** What it is a part of: a span, or a W3C header. The span that the caller runs in, if nothing is said. */
  readonly parent?: Span | string | undefined;
  /** What else it was done for. */
  readonly links?: readonly Span[];
}

/** Begins a span; undefined where the trace is not sampled. */
export type StartSpan = (name: string, options: SpanOptions) => Span | undefined;

const running = new AsyncLocalStorage<Span | undefined>();
let start: StartSpan | undefined;

/** Has everything in this process traced from here on; undefined: nothing is, which costs nothing. */
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

/** Where a transaction leaves it for what is delivered because of it: `webhooks.delivery` takes it from there. */
export const TRACEPARENT_SETTING = 'paytag.traceparent';

/** Begins a span if the caller runs in one: what nobody asked for begins no trace. */
export const startPart = (name: string, options: SpanOptions): Span | undefined =>
  currentSpan() === undefined ? undefined : startSpan(name, options);

/** Runs something in a span, so that what it begins is a part of it. */
export const runIn = <Result>(span: Span | undefined, work: () => Result): Result =>
  span === undefined ? work() : running.run(span, work);

/** The same function, which runs in the span in which it was made. Only while this process traces. */
export const keepSpan = <Call extends (...given: never[]) => unknown>(call: Call): Call =>
  currentSpan() === undefined ? call : AsyncLocalStorage.bind<Call>(call);

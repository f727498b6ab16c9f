import type { MaybeOptionalInit } from 'openapi-fetch';
import type {
  HttpMethod,
  PathsWithMethod,
  RequiredKeysOf,
  ResponseObjectMap,
  SuccessResponse,
} from 'openapi-typescript-helpers';
import type { components as PartnerComponents, paths as PartnerPaths } from './schema/partner.d.ts';
import type { components as SwitchComponents, paths as SwitchPaths } from './schema/switch.d.ts';

/** How requests are sent. */
export interface SendOptions {
  /** How often a request is sent again at most, where that does nothing twice; 3 unless given. */
  retries?: number;
  /** For each attempt, until the whole answer is there; 30,000 unless given. */
  timeoutMs?: number;
  /** Sends each attempt; the global `fetch` unless given. */
  fetch?: (request: Request) => Promise<Response>;
}

export interface PartnerOptions extends SendOptions {
  /** As https://paytag.example/v2 */
  baseUrl: string;
  clientId: string;
  apiKey: string;
}

export interface ApplicationOptions extends SendOptions {
  /** As https://paytag.example/api */
  baseUrl: string;
  clientId: string;
  clientSecret: string;
}

/** What an operation is given: `params` (path, query, header), `body`, `headers`, `signal`. */
type CallOptions<Operations, Method extends keyof Operations> = Omit<
  NonNullable<MaybeOptionalInit<Operations, Method>>,
  'baseUrl' | 'fetch' | 'middleware' | 'parseAs' | 'bodySerializer' | 'pathSerializer' | 'querySerializer'
>;
type Given<Options> = RequiredKeysOf<Options> extends never ? [options?: Options] : [options: Options];
type AnswerOf<Operation> =
  Operation extends Record<string | number, unknown> ? SuccessResponse<ResponseObjectMap<Operation>> : never;
type DataOf<Answer> = Answer extends { data: infer Data } ? Data : Answer;

type Call<Paths extends {}, Method extends HttpMethod, Enveloped extends boolean> = <
  Path extends PathsWithMethod<Paths, Method>,
>(
  path: Path,
  ...given: Given<CallOptions<Paths[Path], Method & keyof Paths[Path]>>
) => Promise<
  Enveloped extends true
    ? DataOf<AnswerOf<Paths[Path][Method & keyof Paths[Path]]>>
    : AnswerOf<Paths[Path][Method & keyof Paths[Path]]>
>;

/**
 * Calls operations by their path. Each gives what the operation answers. Every POST carries an `Idempotency-Key` of its own, unless
 * it is given one, so it can be repeated without being done twice.
 *
 * @throws {PayTagError} when the server refuses
 * @throws {PayTagConnectionError} when no answer came
 */
interface Caller<Paths extends {}, Enveloped extends boolean = false> {
  get: Call<Paths, 'get', Enveloped>;
  post: Call<Paths, 'post', Enveloped>;
  put: Call<Paths, 'put', Enveloped>;
  delete: Call<Paths, 'delete', Enveloped>;
}

/** Calls as a partner. */
export interface PayTag extends Caller<PartnerPaths> {
  /** Calls for a customer who has logged in: `token` is what `GET /sso/token` answered. */
  customer(token: string): PayTagCustomer;
}
/** Calls as a partner for one customer. */
export interface PayTagCustomer extends Caller<PartnerPaths> {}
/** Calls as an application: what comes in an Envelope is given without it. */
export interface PayTagApplication extends Caller<SwitchPaths, true> {}

export function createPayTag(options: PartnerOptions): PayTag;

/** Gets its own token, and a new one when that ends. */
export function createPayTagApplication(options: ApplicationOptions): PayTagApplication;

/** The shapes of the partner and SSO API by their names, as `PartnerSchemas['PartnerWallet']`. */
export type PartnerSchemas = PartnerComponents['schemas'];
/** The shapes of the switch by their names, as `SwitchSchemas['Claim']`. */
export type SwitchSchemas = SwitchComponents['schemas'];

/** The server refused. */
export class PayTagError extends Error {
  readonly status: number;
  /** As in the guide of errors; empty when something between us and the server answered. */
  readonly errorCode: string;
  readonly errors: readonly string[];
  /** Names the request in the server's log. */
  readonly requestId: string;
  /** When the same request may succeed, where the server says so. */
  readonly retryAfterS: number | undefined;
}

/**
 * No answer came, however often the request was repeated. What was asked may have been done: ask for it again under the same
 * reference, or the same Idempotency-Key.
 */
export class PayTagConnectionError extends Error {}

/** A webhook is not from PayTag, is not as it was sent, or was sent too long ago. */
export class PayTagSignatureError extends Error {}

export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

export interface Webhook {
  /** The body's exact bytes, before any parsing. */
  body: string | Uint8Array;
  headers: WebhookHeaders;
  /** Checks `R-Signature`. */
  clientId?: string;
  /** Checks `webhook-signature`, of which the time is a part. The better one: a client id is sent with every call. */
  secret?: string;
  /** How many seconds off `webhook-timestamp` may be; 300 unless given. */
  toleranceS?: number;
}

export interface WebhookEvent<Data = Record<string, unknown>> {
  /** The same in every attempt and resend: drop an event whose id you know. */
  id: string;
  event: string;
  reference: string;
  data: Data;
}

/**
 * Verifies a webhook with `clientId`, `secret` or both, and gives its event.
 *
 * @throws {PayTagSignatureError} when a signature does not match
 */
export function verifyWebhook<Data = Record<string, unknown>>(webhook: Webhook): WebhookEvent<Data>;

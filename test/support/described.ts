import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { InjectOptions } from 'fastify';
import type { Answer, TestApp } from './app.ts';

/** The OpenAPI documents of the server, and where it answers them: the last one to the operator alone. */
export const documentUrls = ['/v2/openapi.json', '/api/openapi.json', '/operator/v1/openapi.json'] as const;

type Server = Pick<TestApp, 'resources'> & { app: { inject(asked: InjectOptions): Promise<Answer> } };

/** By address: to make them takes a second, and servers at the same address have the same. */
const texts = new Map<string, Promise<string>>();

/** A document of a server, for whoever asks to change as they like. */
export async function readDocument(server: Server, url: (typeof documentUrls)[number]): Promise<Document> {
  const { publicUrl, environment } = server.resources;
  const key = `${environment} ${publicUrl} ${url}`;
  const text = texts.get(key) ?? askForDocument(server, url);
  texts.set(key, text);
  return JSON.parse(await text);
}

async function askForDocument({ app, resources }: Server, url: string): Promise<string> {
  const headers = { authorization: `Bearer ${resources.operatorToken}` };
  const answer = await app.inject({ method: 'GET', url, headers });
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}: ${answer.body}`);
  return answer.body;
}

export interface Media {
  schema: object;
  example?: unknown;
  examples?: Record<string, object>;
}
export interface Response {
  content?: Record<string, Media>;
  headers?: Record<string, { required?: boolean; schema: object }>;
}
export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: object;
}
export interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Response>;
}
export interface Document {
  openapi: string;
  info: { title: string; version: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  'x-webhooks'?: Record<string, { post: Operation }>;
  components: {
    schemas: Record<string, object>;
    securitySchemes: Record<string, object>;
    examples?: Record<string, { value?: Record<string, unknown> }>;
  };
}

/** A described operation and where it stands in its document. */
export interface Described {
  method: string;
  /** As the document writes it: `/v2/partner/wallet/{reference}`. */
  path: string;
  operation: Operation;
  document: Document;
}

export function operationsOf(document: Document): Described[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
      document,
    })),
  );
}

/**
 * Validates values against schemas that stand in a document, however they refer to each other. What several refer to is compiled
 * once, and so is a schema that stands in several places.
 */
export function schemasOf({ components: { schemas } }: Document): (schema: object) => ValidateFunction {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ components: { schemas } }, 'document');
  const compiled = new Map<string, ValidateFunction>();
  return (schema) => {
    const text = JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/');
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
    compiled.set(text, validate);
    return validate;
  };
}

type Check = (method: string, url: string, answer: Answer) => void;

let ofEveryServer: Promise<Check> | undefined;

/**
 * What it gives throws when an answer of a described operation has a status, a content type or a body that its description
 * does not have, or lacks a header that it promises. The documents are read once: every server has the same.
 */
export const describedAnswers = (server: Server): Promise<Check> => (ofEveryServer ??= checkAgainstDocuments(server));

async function checkAgainstDocuments(server: Server): Promise<Check> {
  const documents = await Promise.all(documentUrls.map((url) => readDocument(server, url)));
  const operations = documents.flatMap(operationsOf).toSorted((a, b) => parametersIn(a) - parametersIn(b));
  const alike = Map.groupBy(operations, ({ method, path }) => likeness(method, path.split('/')));
  const validators = new Map<object, ValidateFunction>();
  const compilers = new Map(documents.map((document) => [document, schemasOf(document)]));

  return (method, url, answer) => {
    const { pathname } = new URL(url, 'http://localhost'); // as it is asked for: `..` leads elsewhere
    const given = pathname.replace(/\/$/, '').split('/');
    const described = alike.get(likeness(method, given))?.find(({ path }) => isAt(path.split('/'), given));
    if (described === undefined) return;
    const { operation, document } = described;
    const where = `${method} ${described.path} answered ${answer.statusCode}`;
    const response = operation.responses[String(answer.statusCode)];
    if (response === undefined) throw new Error(`${where}, which is not described: ${answer.body}`);
    const isPage = String(answer.headers['content-type']).startsWith('text/html');
    for (const [name, { required }] of isPage ? [] : Object.entries(response.headers ?? {})) {
      if (required && !answer.headers[name.toLowerCase()]) throw new Error(`${where} without ${name}`);
    }
    if (response.content === undefined || answer.body === '') return;
    const type = String(answer.headers['content-type']).replace(/;.*/, '');
    const media = response.content[type];
    if (media === undefined) throw new Error(`${where} as ${type}, which is not described`);
    const validate = validators.get(media) ?? compilers.get(document)?.(media.schema);
    if (validate === undefined) throw new Error('a document has no compiler');
    validators.set(media, validate);
    const body: unknown = type === 'application/json' ? JSON.parse(answer.body) : answer.body;
    if (!validate(body))
      throw new Error(`${where} with a body that is not as described: ${tell(validate)} in ${answer.body}`);
  };
}

const tell = ({ errors }: ValidateFunction): string =>
  (errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`).join('; ');

const parametersIn = ({ path }: Described): number => path.match(/\{/g)?.length ?? 0;

/** What a request and the operation that it is for have in common. */
const likeness = (method: string, parts: readonly string[]): string => `${method} ${parts[1]} ${parts.length}`;

/** Whether the parts of a path are those of a template. */
const isAt = (template: readonly string[], given: readonly string[]): boolean =>
  template.every((part, at) => (part.startsWith('{') ? given[at] !== '' : part === given[at]));

/** A body as an operation describes it; undefined where it takes none. */
export const exampleOf = ({ operation }: Described): Readonly<Record<string, unknown>> | undefined =>
  operation.requestBody?.content['application/json']?.example as Readonly<Record<string, unknown>> | undefined;

/** A request as the document of its operation describes it. */
export interface DescribedRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  /** JSON text; undefined where the operation takes no body. */
  payload: string | undefined;
}

/** Who asks: partner headers, sent always, and the bearer token of each scheme that asks for one. */
export interface Callers {
  headers: Record<string, string>;
  bearers: Readonly<Record<string, string>>;
}

/** The request of an operation, by a caller who may ask, about things that are well named and not there. */
export function requestOf(described: Described, { headers, bearers }: Callers): DescribedRequest {
  const { method, path, operation } = described;
  const schemes = Object.keys(operation.security?.[0] ?? {});
  const token = schemes.map((scheme) => bearers[scheme]).find((bearer) => bearer !== undefined);
  const values = new Map(operation.parameters?.map((parameter) => [parameter.name, valueFor(parameter)]));
  const asked = operation.parameters?.filter((parameter) => parameter.in === 'query' && parameter.required) ?? [];
  const query = asked.length === 0 ? '' : `?${asked.map(({ name }) => `${name}=${values.get(name)}`).join('&')}`;
  const body = exampleOf(described);
  return {
    method: method as DescribedRequest['method'],
    url: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values.get(name) ?? '') + query,
    headers: {
      ...headers,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    payload: body === undefined ? undefined : JSON.stringify(body),
  };
}

/** What is judged before the store is asked: a day, and which rail. */
const judgedAtOnce: Readonly<Record<string, string>> = { date: '2026-01-31', provider: 'simulator' };

function valueFor({ name, schema }: Parameter): string {
  const judged = judgedAtOnce[name];
  if (judged !== undefined) return judged;
  const { format, pattern, example } = schema as { format?: string; pattern?: string; example?: unknown };
  if (format === 'uuid') return '0199c2f4-6d1e-7a3b-9c5d-1e2f3a4b5c6d';
  if (pattern === undefined) return 'something';
  return typeof example === 'string' ? example : '22212345678';
}

import type { Document } from './described.ts';

/** A request of a collection, before it is written for one program or another. */
interface Request {
  operationId: string;
  summary: string;
  description: string;
  folder: string;
  method: string;
  /** With `:name` for its parameters. */
  path: string;
  pathParameters: Parameter[];
  query: Parameter[];
  headers: Parameter[];
  bearer: string | undefined;
  body: string | undefined;
}
interface Parameter {
  name: string;
  value: string;
  description: string;
  isOptional: boolean;
}

/** Neither program's scripts have a `URL`. */
const codeIn = (text: string) => String.raw`/[?&]auth-code=([\w-]+)/.exec(${text})[1]`;

/** What the answers of some operations give to the calls after them. */
const kept: Readonly<Record<string, { variable: string; postman: string; bruno: string }>> = {
  createAuthCode: {
    variable: 'authCode',
    postman: `pm.environment.set('authCode', ${codeIn('pm.response.text()')});`,
    bruno: `bru.setEnvVar('authCode', ${codeIn('String(res.getBody())')});`,
  },
  exchangeAuthCode: {
    variable: 'customerToken',
    postman: "pm.environment.set('customerToken', pm.response.text());",
    bruno: "bru.setEnvVar('customerToken', String(res.getBody()));",
  },
  createToken: {
    variable: 'applicationToken',
    postman: "pm.environment.set('applicationToken', pm.response.json().access_token);",
    bruno: "bru.setEnvVar('applicationToken', res.getBody().access_token);",
  },
};

/** What an environment holds; what differs from one demo to the next is to be filled in. */
const variables: readonly { name: string; value: string; isSecret: boolean }[] = [
  { name: 'origin', value: 'http://localhost:3000', isSecret: false },
  { name: 'clientId', value: '', isSecret: true },
  { name: 'apiKey', value: '', isSecret: true },
  { name: 'wallet', value: '', isSecret: false },
  { name: 'terminal', value: '', isSecret: false },
  { name: 'paytag', value: 'ada', isSecret: false },
  { name: 'password', value: 'sunny-lagos-monday-42', isSecret: false },
  { name: 'applicationClientId', value: '', isSecret: true },
  { name: 'applicationClientSecret', value: '', isSecret: true },
  ...Object.values(kept).map(({ variable }) => ({ name: variable, value: '', isSecret: true })),
];

/** Parameters that stand in the environment; those of the others that must be given are for the caller to fill in. */
const environmentOf = ({ name }: { name: string }, path: string): string => {
  if (name === 'x-terminal') return '{{terminal}}';
  if (name === 'auth-code') return '{{authCode}}';
  if (name === 'tag' || name === 'paytag') return '{{paytag}}';
  return name === 'reference' && path.includes('/wallet/') ? '{{wallet}}' : '';
};

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

function requestsOf({ paths }: Document): Request[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const { operationId = '', summary = '', description = '', tags = [], security = [], requestBody } = operation;
      const given = (operation.parameters ?? []).map((parameter) => ({
        ...parameter,
        value: environmentOf(parameter, path),
      }));
      const parametersIn = (part: string): Parameter[] =>
        given
          .filter((parameter) => parameter.in === part)
          .map(({ name, value, required = false, description: about = '' }) => {
            return { name, value, description: about, isOptional: !required };
          });
      const schemes = Object.keys(security.at(-1) ?? {});
      const credentials = schemes.includes('apiKey') ? ['clientId', 'apiKey'] : [];
      const example = ofTheEnvironment[operationId] ?? requestBody?.content['application/json']?.example;
      return {
        operationId,
        summary,
        description,
        folder: tags[0] ?? 'Other',
        method: method.toUpperCase(),
        path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
        pathParameters: parametersIn('path'),
        query: parametersIn('query'),
        headers: [
          ...credentials.map((name) => ({
            name: name === 'clientId' ? 'x-client-id' : 'x-api-key',
            value: `{{${name}}}`,
            description: '',
            isOptional: false,
          })),
          ...parametersIn('header'),
        ],
        bearer: ['customer', 'application'].find((scheme) => schemes.includes(scheme)),
        body: example === undefined ? undefined : pretty(example),
      };
    }),
  );
}

/** What is sent with the environment's own secrets. */
const ofTheEnvironment: Readonly<Record<string, object>> = {
  createAuthCode: { paytag: '{{paytag}}', password: '{{password}}' },
  createToken: {
    client_id: '{{applicationClientId}}',
    client_secret: '{{applicationClientSecret}}',
    grant_type: 'client_credentials',
  },
};

/** The requests by the tags of the document, in its order; those first that others need an answer of. */
const folders = <Item>(document: Document, toItem: (request: Request, at: number) => Item) => {
  const requests = requestsOf(document);
  const first = new Set(requests.filter(({ operationId }) => operationId in kept).map(({ folder }) => folder));
  return document.tags
    .toSorted((a, b) => Number(first.has(b.name)) - Number(first.has(a.name)))
    .map(({ name, description }) => ({
      name,
      description,
      items: requests.filter(({ folder }) => folder === name).map(toItem),
    }))
    .filter(({ items }) => items.length > 0);
};

const toPostman = (request: Request) => {
  const { operationId, summary, description, method, path, pathParameters, query, headers, bearer, body } = request;
  const shown = ({ name, value, description: about, isOptional }: Parameter) => ({
    key: name,
    value,
    ...(about === '' ? {} : { description: about }),
    ...(isOptional ? { disabled: true } : {}),
  });
  const sent = query.filter(({ isOptional }) => !isOptional).map(({ name, value }) => `${name}=${value}`);
  const script = kept[operationId]?.postman;
  return {
    name: operationId,
    ...(script === undefined
      ? {}
      : { event: [{ listen: 'test', script: { type: 'text/javascript', exec: [script] } }] }),
    request: {
      method,
      description: `${summary}. ${description}`,
      auth:
        bearer === undefined
          ? { type: 'noauth' }
          : { type: 'bearer', bearer: [{ key: 'token', value: `{{${bearer}Token}}`, type: 'string' }] },
      header: [
        ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
        ...headers.map(shown),
      ],
      url: {
        raw: `{{origin}}${path}${sent.length === 0 ? '' : `?${sent.join('&')}`}`,
        host: ['{{origin}}'],
        path: path.slice(1).split('/'),
        query: query.map(shown),
        variable: pathParameters.map(({ name, value, description: about }) => ({
          key: name,
          value,
          description: about,
        })),
      },
      ...(body === undefined ? {} : { body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } } }),
    },
    response: [],
  };
};

/** A Postman collection, version 2.1. */
const postmanCollection = (document: Document) => ({
  info: {
    name: document.info.title,
    schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
  },
  item: folders(document, toPostman).map(({ name, description, items }) => ({ name, description, item: items })),
});

const toBruno = (request: Request, at: number) => {
  const { operationId, summary, description, method, path, pathParameters, query, headers, bearer, body } = request;
  const shown = ({ isOptional, ...parameter }: Parameter) => ({ ...parameter, enabled: !isOptional });
  return {
    type: 'http',
    name: operationId,
    seq: at + 1,
    request: {
      url: `{{origin}}${path}`,
      method,
      headers: headers.map(shown),
      params: [
        ...pathParameters.map((parameter) => ({ ...shown(parameter), type: 'path' })),
        ...query.map((parameter) => ({ ...shown(parameter), type: 'query' })),
      ],
      body: body === undefined ? { mode: 'none' } : { mode: 'json', json: body },
      auth: bearer === undefined ? { mode: 'none' } : { mode: 'bearer', bearer: { token: `{{${bearer}Token}}` } },
      script: kept[operationId] === undefined ? {} : { res: kept[operationId].bruno },
      docs: `${summary}. ${description}`,
    },
  };
};

/** A collection as Bruno imports it, its environment included. */
const brunoCollection = (document: Document) => ({
  name: document.info.title,
  version: '1',
  items: folders(document, toBruno).map(({ name, items }) => ({ type: 'folder', name, items })),
  environments: [
    {
      name: 'sandbox',
      variables: variables.map(({ name, value, isSecret }) => ({
        name,
        value,
        enabled: true,
        secret: isSecret,
        type: 'text',
      })),
    },
  ],
  brunoConfig: { version: '1', name: document.info.title, type: 'collection' },
});

const postmanEnvironment = {
  name: 'PayTag sandbox',
  values: variables.map(({ name, value, isSecret }) => {
    return { key: name, value, type: isSecret ? 'secret' : 'default', enabled: true };
  }),
  _postman_variable_scope: 'environment',
};

/** The files of the collections, by name. */
export const collections = (partner: Document, application: Document): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries({
      'partner.postman_collection.json': postmanCollection(partner),
      'switch.postman_collection.json': postmanCollection(application),
      'sandbox.postman_environment.json': postmanEnvironment,
      'partner.bruno.json': brunoCollection(partner),
      'switch.bruno.json': brunoCollection(application),
    }).map(([name, content]) => [name, `${pretty(content)}\n`]),
  );

/** The APIs that have a reference, by the name in its address. */
export const REFERENCES = {
  partner: {
    title: 'Partner and SSO API',
    short: 'Partner and SSO API',
    about: 'every operation under /v2, to read and to try',
    document: '/v2/openapi.json',
    /** What its pages ask whoever tries a request for, before anything else. */
    credentials: ['clientId', 'apiKey'],
  },
  switch: {
    title: 'Switch and application identity',
    short: 'Switch API',
    about: 'every operation under /api/v1, to read and to try',
    document: '/api/openapi.json',
    credentials: ['application'],
  },
} as const;

/** Files for programs that send requests. They stand in `src/docs/collections`, most of them written from the OpenAPI documents. */
export const COLLECTIONS = [
  { file: 'partner.postman_collection.json', title: 'Postman: partner and SSO API', about: 'every request' },
  { file: 'switch.postman_collection.json', title: 'Postman: switch and application identity', about: 'every request' },
  { file: 'sandbox.postman_environment.json', title: 'Postman: sandbox', about: 'the environment of both' },
  { file: 'partner.bruno.json', title: 'Bruno: partner and SSO API', about: 'every request, with the environment' },
  {
    file: 'switch.bruno.json',
    title: 'Bruno: switch and application identity',
    about: 'every request, with the environment',
  },
  {
    file: 'paytag.http',
    title: 'paytag.http',
    about: 'the story, request by request, for the REST client of an editor',
  },
] as const;

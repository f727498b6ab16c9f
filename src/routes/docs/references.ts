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

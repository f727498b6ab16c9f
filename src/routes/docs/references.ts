/** The APIs that have a reference, by the name in its address. */
export const REFERENCES = {
  partner: {
    title: 'Partner and SSO API',
    about: 'every operation under /v2, to read and to try',
    document: '/v2/openapi.json',
  },
  switch: {
    title: 'Switch and application identity',
    about: 'every operation under /api/v1, to read and to try',
    document: '/api/openapi.json',
  },
} as const;

const described: Readonly<Record<string, Record<string, object>>> = {
  401: {
    'WWW-Authenticate': {
      description:
        'What to prove oneself by (RFC 9110): ApiKey (x-client-id and x-api-key), Bearer or Basic; with error="invalid_token" for a token that was sent and is not good (RFC 6750)',
      required: true,
      schema: { type: 'string' },
      example: 'Bearer realm="paytag", error="invalid_token"',
    },
  },
  429: {
    'Retry-After': {
      description: 'Whole seconds after which the same request may succeed',
      required: true,
      schema: { type: 'integer', minimum: 1 },
    },
  },
};

/** Names the headers that failures carry in every operation of a document that can answer them. */
export function describeFailureHeaders(document: { paths?: Record<string, unknown> }): void {
  for (const operation of Object.values(document.paths ?? {}).flatMap((path) => Object.values(path as object))) {
    const { responses = {} } = operation as { responses?: Record<string, { headers?: object }> };
    for (const [status, headers] of Object.entries(described)) {
      const response = responses[status];
      if (response !== undefined) response.headers = { ...response.headers, ...headers };
    }
  }
}

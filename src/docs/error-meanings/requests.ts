import type { ErrorCode } from '#lib/error-codes.ts';
import type { Meaning } from './meaning.ts';

/** What any request can meet: its form, its credentials, its rate, and a server in trouble. */
export const requestMeanings = {
  INVALID_PARAMETER: {
    where: ['Every API'],
    happened: 'A member, parameter or header is missing or not valid.',
    whatToDo: 'Correct what `errors` names.',
    repeat: 'once changed',
  },
  MALFORMED_JSON: {
    where: ['Every API'],
    happened:
      'The body is not valid JSON in UTF-8, or holds a NUL, half a character or a number of more than 40 characters.',
    whatToDo: 'Correct the body.',
    repeat: 'once changed',
  },
  BAD_REQUEST: {
    where: ['Every API'],
    happened: 'The request cannot be read as HTTP: its path, its headers (two of Host, say) or its length.',
    whatToDo: 'Correct the client.',
    repeat: 'once changed',
  },
  INVALID_CREDENTIALS: {
    where: ['Partner', 'SSO', 'Operator'],
    happened: 'x-client-id and x-api-key, or the operator’s token, are missing or wrong.',
    whatToDo: 'Send the credentials you were given; a key may have been revoked.',
    repeat: 'once changed',
  },
  KEY_ENVIRONMENT_MISMATCH: {
    where: ['Partner', 'SSO', 'Operator'],
    happened: 'The API key, or the operator’s token, is of another environment.',
    whatToDo: 'Use the key of this environment, or the address of the key’s.',
    repeat: 'once changed',
  },
  PARTNER_SUSPENDED: {
    where: ['Partner', 'SSO'],
    happened: 'The operator has suspended this partner.',
    whatToDo: 'Ask the operator.',
    repeat: 'once changed',
  },
  NOT_PERMITTED: {
    where: ['Switch'],
    happened: 'You can see it, but this step belongs to the other side.',
    whatToDo: 'Let the other side do it; `message` says what yours can do.',
    repeat: 'no',
  },
  ROUTE_NOT_FOUND: {
    where: ['Every API'],
    happened: 'Nothing is at this path.',
    whatToDo: 'Check the path.',
    repeat: 'no',
  },
  METHOD_NOT_ALLOWED: {
    where: ['Every API'],
    happened: 'The path exists, with another method.',
    whatToDo: 'Use a method that the header `Allow` names. HEAD is among them where GET does nothing but answer.',
    repeat: 'no',
  },
  IDEMPOTENCY_KEY_REUSED: {
    where: ['Every API'],
    happened: 'This Idempotency-Key was used with another body, query, `x-terminal` or `Prefer`.',
    whatToDo: 'Use a new key for another request.',
    repeat: 'no',
  },
  IDEMPOTENCY_KEY_IN_FLIGHT: {
    where: ['Every API'],
    happened: 'The first request under this Idempotency-Key still runs, or was cut off some seconds ago.',
    whatToDo: 'Wait as long as `Retry-After` says and send it again: you get the first one’s answer.',
    repeat: 'yes',
  },
  IDEMPOTENCY_ANSWER_LOST: {
    where: ['Every API'],
    happened: 'The first request under this Idempotency-Key was done, and we broke down before its answer was kept.',
    whatToDo: 'Look at what is there, e.g. in the list. What is still to be done, do under a new key.',
    repeat: 'no',
  },
  INVALID_SIGNATURE: {
    where: ['Hooks'],
    happened: 'What a provider is said to tell us is not signed by it, or is not as it was signed.',
    whatToDo: 'Sign the bytes as they are sent, with the secret key that the server has of this provider.',
    repeat: 'no',
  },
  BODY_TOO_LARGE: {
    where: ['Every API'],
    happened: 'The body is larger than 32 KiB; a provider’s message, than 256 KiB; a bank’s file, than 12 MiB.',
    whatToDo: 'Send less.',
    repeat: 'once changed',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    where: ['Every API'],
    happened: 'The body has a content type that this operation does not take, or is compressed.',
    whatToDo: 'Send it as application/json, without Content-Encoding.',
    repeat: 'once changed',
  },
  TOO_MANY_REQUESTS: {
    where: ['Every API'],
    happened: 'A limit is spent: of calls, logins, look-ups, BVNs, claims, test events or wrong operator tokens.',
    whatToDo: 'Wait as long as Retry-After says.',
    repeat: 'yes',
  },
  INTERNAL_ERROR: {
    where: ['Every API'],
    happened: 'Something went wrong on our side.',
    whatToDo:
      'Tell us the request id. Repeat money under its reference; look before you repeat what creates something.',
    repeat: 'yes',
  },
  STORE_UNAVAILABLE: {
    where: ['Every API'],
    happened: 'The database cannot be reached or does not answer in time, or the server is closing.',
    whatToDo: 'Send it again: money under its reference; look before you repeat what creates something.',
    repeat: 'yes',
  },
  PROXY_NOT_TRUSTED: {
    where: ['Every API'],
    happened: 'The server is set up wrongly: it does not know the proxy in front of it, and so not who calls.',
    whatToDo: 'Nothing was done: send it again later. Whoever runs the server sets TRUSTED_PROXIES.',
    repeat: 'yes',
  },
  BUSY: {
    where: ['Every API'],
    happened:
      'More is asked than the server can answer in time, too many lists, logins, statements, replays or movements of money are under way at once, or the same account number is being asked for.',
    whatToDo: 'Send the same request again.',
    repeat: 'yes',
  },
} as const satisfies Partial<Record<ErrorCode, Meaning>>;

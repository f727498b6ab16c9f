import type { ErrorCode } from '#lib/error-codes.ts';
import type { Meaning } from './meaning.ts';

/** What happens to partners, applications and tags as records, to their keys and to their webhooks. */
export const operationMeanings = {
  PARTNER_NOT_FOUND: {
    where: ['Operator'],
    happened: 'There is no such partner.',
    whatToDo: 'Check the id.',
    repeat: 'once changed',
  },
  PARTNER_STATUS_CONFLICT: {
    where: ['Operator'],
    happened: 'The partner has this status already.',
    whatToDo: 'Read it to see its status.',
    repeat: 'no',
  },
  CUSTOMER_NOT_FOUND: {
    where: ['Operator'],
    happened: 'There is no such customer.',
    whatToDo: 'Find the customer, and use the id.',
    repeat: 'once changed',
  },
  CUSTOMER_STATUS_CONFLICT: {
    where: ['Operator'],
    happened: 'The status of the customer does not allow it; `message` says why.',
    whatToDo: 'Read the customer to see their status.',
    repeat: 'once changed',
  },
  REDIRECT_URL_REFUSED: {
    where: ['Operator'],
    happened:
      'The redirect URL cannot be used, e.g. because its query has auth-code, code, state, error or iss already.',
    whatToDo: 'Give another; `message` says why.',
    repeat: 'once changed',
  },
  API_KEY_NOT_FOUND: {
    where: ['Operator'],
    happened: 'The partner has no such key.',
    whatToDo: 'Read the partner to see its keys.',
    repeat: 'once changed',
  },
  API_KEY_LIMIT: {
    where: ['Operator'],
    happened: 'Two keys are active.',
    whatToDo: 'Revoke one of them first.',
    repeat: 'once changed',
  },
  API_KEY_REVOKED: {
    where: ['Operator'],
    happened: 'The key is revoked already.',
    whatToDo: 'Nothing: it is done.',
    repeat: 'no',
  },
  SIGNING_KEY_NOT_FOUND: {
    where: ['Operator'],
    happened: 'There is no signing key with this kid.',
    whatToDo: 'Read `GET /operator/v1/keys`.',
    repeat: 'once changed',
  },
  SIGNING_KEY_REVOKED: {
    where: ['Operator'],
    happened: 'The signing key is revoked already.',
    whatToDo: 'Nothing: it is done.',
    repeat: 'no',
  },
  SIGNING_KEY_TOO_NEW: {
    where: ['Operator'],
    happened:
      'The next signing key has been published for a shorter time than verifiers keep the keys that they fetched.',
    whatToDo:
      'Wait as long as `Retry-After` says. With `immediately` it signs at once, and verifiers may refuse its tokens.',
    repeat: 'yes',
  },
  APPLICATION_NOT_FOUND: {
    where: ['Operator'],
    happened: 'There is no such application.',
    whatToDo: 'Check the id.',
    repeat: 'once changed',
  },
  APPLICATION_STATUS_CONFLICT: {
    where: ['Operator'],
    happened: 'The application cannot go from its status to this one.',
    whatToDo: 'Read it to see its status.',
    repeat: 'once changed',
  },
  TAG_STATUS_CONFLICT: {
    where: ['Switch', 'Operator'],
    happened: 'The tag cannot go from its status to this one.',
    whatToDo: 'Read it to see its status; a suspended tag is the operator’s to restore.',
    repeat: 'once changed',
  },
  WEBHOOK_TARGET_REFUSED: {
    where: ['Partner', 'Identity', 'Operator'],
    happened: 'Webhooks may not go to this URL: it is not https, or its address is private.',
    whatToDo: 'Give a public https URL.',
    repeat: 'once changed',
  },
  WEBHOOK_URL_NOT_SET: {
    where: ['Partner'],
    happened: 'There is no webhook URL to send a test event to.',
    whatToDo: 'Set one first.',
    repeat: 'once changed',
  },
  PROVIDER_NOT_SIMULATED: {
    where: ['Partner', 'Switch'],
    happened: 'The sandbox disturbs simulators alone, and this provider is a real one here.',
    whatToDo: 'Disturb another, or use a server that simulates it.',
    repeat: 'no',
  },
  SECRET_OVERLAP_RUNNING: {
    where: ['Partner', 'Identity', 'Operator'],
    happened: 'The secret before the last rotation still counts.',
    whatToDo: 'Wait until the time in `message`, or rotate with `immediately`.',
    repeat: 'once changed',
  },
  RECEIVER_NOT_FOUND: {
    where: ['Operator'],
    happened: 'Nobody with this id receives webhooks.',
    whatToDo: 'Give the id of a partner or an application.',
    repeat: 'once changed',
  },
  ENDPOINT_NOT_FOUND: {
    where: ['Partner', 'Operator'],
    happened: 'There is no such webhook endpoint, it is somebody else’s, or it was deleted.',
    whatToDo: 'Read your endpoints with GET /v2/partner/webhook/endpoints.',
    repeat: 'once changed',
  },
  ENDPOINT_LIMIT: {
    where: ['Partner'],
    happened: 'Ten webhook endpoints stand beside the default one, and no more may.',
    whatToDo: 'Delete one first.',
    repeat: 'once changed',
  },
  ENDPOINT_IS_DEFAULT: {
    where: ['Partner'],
    happened: 'The default webhook endpoint cannot be deleted.',
    whatToDo: 'Pause it, or take its URL away with PUT /v2/partner/webhook.',
    repeat: 'no',
  },
  EVENT_NOT_WANTED: {
    where: ['Partner'],
    happened: 'None of your webhook endpoints wants this event.',
    whatToDo: 'Add it to the events of one.',
    repeat: 'once changed',
  },
  RECEIVER_PAUSED_BY_OPERATOR: {
    where: ['Partner'],
    happened: 'The operator has paused this receiver.',
    whatToDo: 'Ask the operator to resume it.',
    repeat: 'once changed',
  },
  DELIVERY_NOT_FOUND: {
    where: ['Partner', 'Operator'],
    happened: 'There is no such webhook delivery, or it is somebody else’s.',
    whatToDo: 'Check the id.',
    repeat: 'once changed',
  },
  PORTAL_LINK_EXPIRED: {
    where: ['Pages'],
    happened:
      'The link to a partner’s webhook pages is older than an hour, somebody closed the pages, its partner was suspended, its API key was revoked, or it is not ours.',
    whatToDo: 'Ask for another one with POST /v2/partner/webhook/portal.',
    repeat: 'no',
  },
  CONTACT_NOT_PROVEN: {
    where: ['Operator'],
    happened:
      'In live a new secret goes to its owner, by a link that is mailed to their contact; there is none, or nobody has said yet that the address is theirs.',
    whatToDo:
      'Where `message` says that a link was mailed, have the owner follow it. Where there is no contact, give the partner one; an application rotates its own secret.',
    repeat: 'once changed',
  },
  SECRET_LINK_EXPIRED: {
    where: ['Pages'],
    happened: 'The link was used, by you or by somebody else, is older than three days, or is not ours.',
    whatToDo: 'Ask whoever runs the server for a new secret. If somebody else may have used the link, say so.',
    repeat: 'no',
  },
  DELIVERY_PURGED: {
    where: ['Partner', 'Operator'],
    happened: 'The delivery ended so long ago that its body was deleted.',
    whatToDo: 'Read the transaction instead.',
    repeat: 'no',
  },
  CHECK_RUNNING: {
    where: ['Operator'],
    happened: 'Another check of the books runs, in this process or in another.',
    whatToDo: 'Wait as long as Retry-After says. Who asks this process for the same check shares its report.',
    repeat: 'yes',
  },
} as const satisfies Partial<Record<ErrorCode, Meaning>>;

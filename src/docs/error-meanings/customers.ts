import type { ErrorCode } from '#lib/error-codes.ts';
import type { Meaning } from './meaning.ts';

/** What happens to a customer: their PayTag, onboarding, login, bank account and statements. */
export const customerMeanings = {
  INVALID_PAYTAG: {
    where: ['Partner', 'SSO', 'Operator'],
    happened: 'This cannot be a PayTag.',
    whatToDo: 'Choose one of the form that `message` describes.',
    repeat: 'once changed',
  },
  PAYTAG_RESERVED: {
    where: ['Partner', 'SSO'],
    happened:
      'The PayTag is reserved, or passes for one that is, for PayTag, an authority or a bank; or it has no letter, or reads as a phone or account number.',
    whatToDo: 'Choose another, with a letter in it.',
    repeat: 'no',
  },
  NAME_RESERVED: {
    where: ['Partner', 'SSO', 'Identity', 'Operator'],
    happened: 'The name that others would see passes for PayTag, an authority, a bank or a role such as support.',
    whatToDo: 'Give the person’s own name.',
    repeat: 'once changed',
  },
  PAYTAG_TAKEN: {
    where: ['Partner', 'SSO'],
    happened: 'Somebody has this PayTag.',
    whatToDo: 'Choose another.',
    repeat: 'no',
  },
  PAYTAG_MISMATCH: {
    where: ['SSO'],
    happened: 'The customer has another PayTag already, and keeps it.',
    whatToDo: 'Complete with the PayTag they have.',
    repeat: 'once changed',
  },
  CUSTOMER_NOT_EMPTY: {
    where: ['Operator'],
    happened:
      'The customer cannot be erased: `errors` names each wallet that holds money, a hold or a lien, or that money waits for.',
    whatToDo: 'Have it paid out, released, lifted or resolved first.',
    repeat: 'once changed',
  },
  EMV_QR_NOT_CONFIGURED: {
    where: ['SSO'],
    happened: 'The server is part of no scheme of EMVCo QR codes.',
    whatToDo: 'Leave out `format`: the QR code of the PayTag’s page is always there.',
    repeat: 'once changed',
  },
  PAYTAG_NOT_FOUND: {
    where: ['Partner', 'SSO'],
    happened: 'No customer has this PayTag, or this BVN.',
    whatToDo: 'Check it. A BVN without a PayTag: create one.',
    repeat: 'once changed',
  },
  BVN_NOT_FOUND: {
    where: ['Partner', 'SSO'],
    happened: 'The register does not know this BVN.',
    whatToDo: 'Ask the customer for it again.',
    repeat: 'counts',
  },
  BVN_MISMATCH: {
    where: ['Partner', 'SSO'],
    happened: 'Names, date of birth or phone are not those registered with the BVN; which of them is not said.',
    whatToDo: 'Ask the customer for them again.',
    repeat: 'counts',
  },
  BVN_ALREADY_REGISTERED: {
    where: ['Partner', 'SSO'],
    happened: 'A customer has this BVN already.',
    whatToDo: 'Link them by POST /v2/partner/paytag/bvn/{bvn}, or let them log in.',
    repeat: 'no',
  },
  BVN_PROVIDER_UNAVAILABLE: {
    where: ['Partner', 'SSO'],
    happened: 'The BVN register did not answer; nothing was created.',
    whatToDo: 'Send the same request again.',
    repeat: 'yes',
  },
  SESSION_NOT_FOUND: {
    where: ['SSO', 'Operator'],
    happened: 'This partner, or to an operator nobody, has such a session.',
    whatToDo: 'Start one; as an operator list them.',
    repeat: 'no',
  },
  SESSION_EXPIRED: {
    where: ['SSO'],
    happened: 'The session has expired.',
    whatToDo: 'Start another.',
    repeat: 'no',
  },
  SESSION_NOT_VALIDATED: {
    where: ['SSO'],
    happened: 'No code of this session has been validated.',
    whatToDo: 'Validate a code first.',
    repeat: 'once changed',
  },
  SESSION_COMPLETED: {
    where: ['SSO'],
    happened: 'The session was completed already.',
    whatToDo: 'Let the customer log in.',
    repeat: 'no',
  },
  OTP_NOT_SENT: {
    where: ['SSO'],
    happened: 'No code was sent in this session yet.',
    whatToDo: 'Have one sent.',
    repeat: 'once changed',
  },
  OTP_INVALID: {
    where: ['SSO', 'Switch', 'Pages'],
    happened: 'This is not the code that was sent last.',
    whatToDo: 'Ask for it again; five wrong ones are the end.',
    repeat: 'counts',
  },
  OTP_EXPIRED: {
    where: ['SSO', 'Pages'],
    happened: 'The code has expired.',
    whatToDo: 'Have another sent.',
    repeat: 'no',
  },
  OTP_ALREADY_VALIDATED: {
    where: ['SSO'],
    happened: 'A code of this session was validated already.',
    whatToDo: 'Complete the session.',
    repeat: 'no',
  },
  OTP_CHANNEL_UNAVAILABLE: {
    where: ['SSO', 'Switch', 'Pages'],
    happened: 'There is no proven address for this channel, or none that takes messages.',
    whatToDo: 'Use another channel; for a link, CONSENT.',
    repeat: 'once changed',
  },
  OTP_COOLDOWN: {
    where: ['SSO', 'Pages'],
    happened: 'A code was sent by this channel a moment ago.',
    whatToDo: 'Wait as long as Retry-After says.',
    repeat: 'yes',
  },
  OTP_SENDS_EXCEEDED: {
    where: ['SSO', 'Pages'],
    happened: 'No more codes are sent in this session or for this request.',
    whatToDo: 'Use the last one, or start anew.',
    repeat: 'no',
  },
  OTP_ATTEMPTS_EXCEEDED: {
    where: ['SSO'],
    happened: 'Too many wrong codes were given in this session.',
    whatToDo: 'Start another session.',
    repeat: 'no',
  },
  MESSAGING_PROVIDER_UNAVAILABLE: {
    where: ['SSO', 'Switch', 'Pages'],
    happened: 'The code could not be sent, or nobody knows whether it was: `message` says which.',
    whatToDo: 'Where it may have been sent, wait for it first: a repetition can reach somebody twice.',
    repeat: 'counts',
  },
  WEAK_PASSWORD: {
    where: ['SSO'],
    happened: 'The password is too short, too common, or made of the PayTag or the names.',
    whatToDo: 'Choose another.',
    repeat: 'once changed',
  },
  PASSWORD_NOT_SET: {
    where: ['SSO'],
    happened: 'The customer has no password yet.',
    whatToDo: 'They set one by onboarding with their BVN.',
    repeat: 'once changed',
  },
  INVALID_CUSTOMER_CREDENTIALS: {
    where: ['SSO', 'Pages'],
    happened: 'The password is wrong.',
    whatToDo: 'Ask for it again; wrong ones slow down the next.',
    repeat: 'counts',
  },
  INVALID_AUTH_CODE: {
    where: ['SSO'],
    happened: 'The authorization code is unknown, used, expired, another partner’s, or its code_verifier is wrong.',
    whatToDo: 'Log the customer in again.',
    repeat: 'no',
  },
  INVALID_CUSTOMER_TOKEN: {
    where: ['SSO'],
    happened: 'The customer’s token is missing, expired, ended or not for this partner.',
    whatToDo: 'Log the customer in again.',
    repeat: 'no',
  },
  BANK_ACCOUNT_NOT_FOUND: {
    where: ['Partner', 'SSO'],
    happened: 'The bank has no such account.',
    whatToDo: 'Check number and bank code.',
    repeat: 'counts',
  },
  ACCOUNT_NAME_MISMATCH: {
    where: ['Partner', 'SSO'],
    happened: 'The account is not in the customer’s name.',
    whatToDo: 'Link an account of the customer’s own.',
    repeat: 'counts',
  },
  BANK_ACCOUNT_NOT_LINKED: {
    where: ['SSO'],
    happened: 'No bank account is linked.',
    whatToDo: 'Link one first.',
    repeat: 'once changed',
  },
  BANK_PROVIDER_UNAVAILABLE: {
    where: ['Partner', 'SSO'],
    happened: 'The bank did not answer; nothing was linked.',
    whatToDo: 'Send the same request again.',
    repeat: 'yes',
  },
  STATEMENT_NOT_FOUND: {
    where: ['SSO', 'Pages'],
    happened: 'There is no such statement, or its link was changed.',
    whatToDo: 'Ask for the statement again.',
    repeat: 'no',
  },
  STATEMENT_LINK_EXPIRED: {
    where: ['Pages'],
    happened: 'The link has expired.',
    whatToDo: 'Ask for the statement again.',
    repeat: 'no',
  },
} as const satisfies Partial<Record<ErrorCode, Meaning>>;

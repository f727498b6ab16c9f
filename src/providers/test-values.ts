/** What the simulators answer to, each with what happens. A test holds it to them. */
const testValues: readonly (readonly [value: string, outcome: string])[] = [
  ['BVN `22222222200`', 'is verified, whatever the names'],
  ['BVN `22222222201`', 'is unknown: 400 `BVN_NOT_FOUND`'],
  ['BVN `22222222202`', 'does not match: 400 `BVN_MISMATCH`'],
  ['BVN `22222222203`', 'the register does not answer: 502 `BVN_PROVIDER_UNAVAILABLE`'],
  ['BVN `22222222204`', 'is verified with `dateOfBirth` 1990-05-17 or none; with another: 400 `BVN_MISMATCH`'],
  ['any other 11 digits', 'are verified'],
  ['phone ending in `0000`', "is not the register's: 400 `BVN_MISMATCH`"],
  ['any other phone', 'is on the register, for every BVN'],
  ['no phone given to `POST /v2/sso/create-tag`', "the code goes to the register's, `+2348030000001`"],
  [
    'e-mail address at `unregistered.example`',
    "is not the register's: it is kept and shown, and as a channel it is 400 `OTP_CHANNEL_UNAVAILABLE`",
  ],
  ['any other e-mail address', 'is on the register, for every BVN'],
  [
    '`otherName` `Unregistered` of a new customer',
    "is not the register's: it is kept, and no part of the name that others see",
  ],
  ['any other `otherName`', 'is on the register, for every BVN'],
  ['one-time password `123456`', 'is the code of every phone and e-mail message; nothing is sent'],
  ['bank account number ending in `1`', 'does not exist: 400 `BANK_ACCOUNT_NOT_FOUND`'],
  ['any other account number', "is in the customer's own name"],
  ['payout whose amount has the kobo `.01`', 'is refused: `Failed`, with `FailureReason` `PAYOUT_REFUSED`'],
  [
    'payout whose amount has the kobo `.02`',
    'is of unknown end when it is sent, and `Successful` once it is asked about',
  ],
  [
    'payout whose amount has the kobo `.03`',
    'is of unknown end for an hour, or until time is moved forward by as much, and then `Successful`',
  ],
  ['payout whose amount has the kobo `.04`', 'is `Successful`, and `Reversed` a few seconds later'],
  ['any other payout', 'is `Successful` at once'],
];

/** The same as a table in Markdown: in the guide to the sandbox, and in the OpenAPI document. */
export const testValuesTable = [
  '| Value | What happens |',
  '|---|---|',
  ...testValues.map(([value, outcome]) => `| ${value} | ${outcome} |`),
].join('\n');

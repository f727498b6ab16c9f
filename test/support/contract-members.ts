type Kind = 'string' | 'number' | 'date' | 'object' | 'array';

const named = <K extends Kind>(kind: K, paths: string): Record<string, K> =>
  Object.fromEntries(paths.split(', ').map((path) => [path, kind]));

/** What the contract says of `data` of transaction.status, member by member. */
const transactionStatus: Record<string, Kind> = {
  ...named('number', 'Amount, Fee, Commission, Net'),
  ...named('string', 'Reference, Sender, Recipient, Status, Comment'),
  ...named('string', 'SenderDetails.Name, SenderDetails.Paytag, SenderDetails.Type, SenderDetails.Currency'),
  ...named('number', 'SenderDetails.Amount, SenderDetails.Fee'),
  ...named('date', 'Date, CompletedAt'),
  ...named('object', 'Metadata'),
  ...named('string', 'Terminal.SerialNumber, Terminal.TerminalID, Terminal.Merchant, Terminal.Email'),
  ...named('string', 'Terminal.PhoneNumber, Terminal.Status, Terminal.PayTag, Terminal.Qr'),
  ...named('date', 'Terminal.CreatedAt'),
  ...named('object', 'Terminal.Metadata'),
  ...named('number', 'Terminal.Balance'),
};

/** Of wallet.debited and wallet.credited. */
const walletEvent: Record<string, Kind> = {
  ...named('number', 'Amount, Transaction.Amount, Transaction.Fee, OpeningBalance, ClosingBalance'),
  ...named('string', 'Operation, Transaction.Status, Transaction.Reference, Transaction.ExternalReference'),
  ...named('string', 'Transaction.Comment'),
  ...named('date', 'CreatedAt'),
};

/** Of a Claim. */
const claim: Record<string, Kind> = {
  ...named('string', 'id, tagId, tagString, subjectId, subjectExternalId, requestedByAppId, requestedByAppName, state'),
  ...named('date', 'requestedAt, approvedAt, revokedAt, tokenExpiresAt'),
  ...named('string', 'consentToken, approvalUrl'),
};

/** Of a Switch transaction. */
const switchTransaction: Record<string, Kind> = {
  ...named(
    'string',
    'id, reference, senderTag, senderAppName, senderAppId, receiverTag, receiverAppName, receiverAppId',
  ),
  ...named('number', 'amount, fee'),
  ...named('string', 'currency, status, narration, rejectionReason'),
  ...named('date', 'expiresAt, acceptedAt, rejectedAt, createdAt, updatedAt'),
  ...named('array', 'webhooks'),
};

/** The members of an event's `data` in the contract, by their paths; undefined for an event that the contract does not have. */
export function contractMembers(event: string): Record<string, Kind> | undefined {
  if (event === 'transaction.status') return transactionStatus;
  if (event.startsWith('wallet.')) return walletEvent;
  if (event.startsWith('CONSENT_')) return claim;
  return event.startsWith('TRANSACTION_') ? switchTransaction : undefined;
}

/** Free-form: what is in it is the sender's. */
const isFreeForm = (path: string): boolean => /(^|\.)Metadata$/.test(path);
const isMoment = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);

/** Of each member of an event's data: what kind of value it has, by its path. */
export function kindsOf(data: object, prefix = ''): Record<string, string> {
  const kinds = Object.entries(data).flatMap(([member, value]: [string, unknown]) => {
    const path = prefix + member;
    if (Array.isArray(value)) return [[path, 'array']];
    if (isMoment(value)) return [[path, 'date']];
    if (typeof value !== 'object' || value === null || isFreeForm(path)) return [[path, typeof value]];
    return Object.entries(kindsOf(value, `${path}.`));
  });
  return Object.fromEntries(kinds);
}

/**
 * The operations of the operator API that cannot be undone, by operationId, and why: a person who runs one by hand is asked whether
 * they mean it. What moves money is not among them, where it can be reversed.
 */
export const irreversible: Readonly<Record<string, string>> = {
  approveRequest: 'What is approved is done at once.',
  closeTag: 'A closed tag never opens again, and its handle is blocked for 90 days.',
  correctPayout: 'A payout is corrected once, and the money is taken.',
  createRemittance: 'It says that the money has left the bank.',
  decideDispute: 'A dispute is decided once. Lost, the money goes back to the payer, and may be spent at once.',
  dismissInboxMessage: 'It is closed for good.',
  endConsoleSession: 'The operator has to sign in again.',
  endSession: 'The customer has to log in again.',
  endSessionsOfCustomer: 'The customer has to log in again.',
  eraseCustomer: 'What is erased of a person is gone for good.',
  handBackBvn: 'The BVN leaves this PayTag for good, which stays frozen with its money.',
  markPayout: 'A payout is marked once, and the money follows.',
  refundTransaction: 'The money goes back to who paid, and may be spent at once.',
  replayDeliveries: 'Receivers get these events once more, and a sent webhook cannot be called back.',
  resolveSuspense: 'Money in suspense is resolved once; money returned to its rail has left us.',
  reverseTransaction: 'A transaction is reversed once.',
  revokeApiKey: 'The key never works again: calls with it are refused from now on.',
  revokeSigningKey: 'Every token that this key signed ends within a second.',
  revokeWallet: 'The wallet is closed for good, and its customer’s tokens at that partner end.',
  rotateApplicationWebhookSecret:
    'The secret before ends: at once if you say so, or else after a while. It never comes back.',
  rotateClientSecret: 'The secret before ends: at once if you say so, or else after a day. It never comes back.',
  rotateOperatorToken: 'The token before ends at once.',
  rotatePartnerWebhookSecret:
    'The secret before ends: at once if you say so, or else after a while. It never comes back.',
};

/** Verbs of operations that look as if they could not be undone: each stands above or here. */
export const IRREVERSIBLE_VERBS =
  /^(approve|close|correct|decide|delete|destroy|dismiss|end|erase|handBack|mark|purge|refund|reject|remove|replay|resolve|reverse|revoke|rotate)/;

/** What has such a verb and can be undone after all. */
export const undoable: Readonly<Record<string, string>> = {
  approveApplication: 'It can be suspended.',
  correctCustomer: 'It can be corrected once more.',
  rejectRequest: 'A new request can be made.',
  resolveReconciliationItem: 'What it posts can be reversed, and what it matches is found again.',
  rotateSigningKey: 'The key before is accepted until its last token has ended; sessions stay valid.',
};

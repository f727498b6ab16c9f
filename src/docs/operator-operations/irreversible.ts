/**
 * The operations of the operator API that cannot be undone, by operationId, and why: whoever asks for one by hand is asked whether
 * they mean it. What moves money is not among them, where it can be reversed.
 */
export const irreversible: Readonly<Record<string, string>> = {
  approveRequest: 'What is approved is done at once.',
  closeTag: 'A closed tag never opens again, and nobody gets its handle for 90 days.',
  correctPayout: 'A payout is corrected once, and the money is taken.',
  createRemittance: 'It says that the money has left the bank.',
  dismissInboxMessage: 'It is closed, and nobody is asked about it again.',
  eraseCustomer: 'What is erased of a person is gone for good.',
  handBackBvn: 'The BVN leaves this PayTag for good, which stays frozen with its money.',
  markPayout: 'A payout is marked once, and the money follows.',
  refundTransaction: 'The money goes back to who paid, and may be spent at once.',
  replayDeliveries: 'Receivers get these events once more, and a sent webhook cannot be called back.',
  reverseTransaction: 'A transaction is reversed once, and a reversal cannot be reversed.',
  revokeApiKey: 'The key never works again, and whoever uses it is refused from now on.',
  revokeSigningKey: 'Every token that this key signed ends within a second.',
  revokeWallet: 'The wallet is closed for good, and its customer’s tokens at that partner end.',
  rotateOperatorToken: 'The token before ends at once.',
};

/** Verbs of operations that look as if they could not be undone: each stands above or here. */
export const IRREVERSIBLE_VERBS = /^(approve|close|delete|destroy|end|erase|handBack|mark|purge|remove|reverse|revoke)/;

/** What has such a verb and can be undone after all. */
export const undoable: Readonly<Record<string, string>> = {
  approveApplication: 'It can be suspended.',
};

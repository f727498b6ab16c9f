/** What a sample is made of. */
export interface SampleFacts {
  /** Begins with `sandbox-`. */
  reference: string;
  now: Date;
}

const COMMENT = 'A sample of the sandbox: no money has moved.';

const movement = (isCredit: boolean) => {
  return ({ reference, now }: SampleFacts) => ({
    reference,
    data: {
      Amount: isCredit ? 1500.5 : -1500.5,
      Operation: isCredit ? 'Credit' : 'Debit',
      Transaction: {
        Amount: 1500.5,
        Fee: 0,
        Status: 'Successful',
        Reference: `${reference}-movement`,
        ExternalReference: '',
        Comment: COMMENT,
      },
      OpeningBalance: isCredit ? 0 : 1500.5,
      ClosingBalance: isCredit ? 1500.5 : 0,
      CreatedAt: now,
    },
  });
};

const paid = ({ reference, now }: SampleFacts) => ({
  reference,
  data: {
    Amount: 1000,
    Fee: 0,
    Commission: 0,
    Net: 1000,
    Reference: reference,
    Sender: 'Chidi Okafor',
    SenderDetails: { Name: 'Chidi Okafor', Paytag: '', Type: 'CARD', Currency: 'NGN', Amount: 1000, Fee: 0 },
    Recipient: 'Sandbox',
    Status: 'Successful',
    Comment: COMMENT,
    Date: now,
    CompletedAt: now,
    Metadata: {},
    Terminal: {
      SerialNumber: '',
      TerminalID: '',
      Merchant: '',
      Email: '',
      PhoneNumber: '',
      Status: '',
      PayTag: '',
      Qr: '',
      Metadata: {},
      Balance: 0,
    },
  },
});

/** What a partner is sent of each of its events: reference and data. */
export const partnerSamples = {
  'wallet.credited': movement(true),
  'wallet.debited': movement(false),
  'transaction.status': paid,
} as const;

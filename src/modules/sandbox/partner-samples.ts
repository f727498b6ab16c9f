/** What a sample is made of. */
export interface SampleFacts {
  /** Begins with `sandbox-`. */
  reference: string;
  now: Date;
}

const COMMENT = 'A sample of the sandbox: no money has moved.';
const SAMPLE = 'A sample of the sandbox: nothing has happened.';

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

/** Of an endpoint that there is not. */
const aboutEndpoint =
  (told: (now: Date) => object) =>
  ({ reference, now }: SampleFacts) => ({
    reference,
    data: {
      EndpointId: '00000000-0000-7000-8000-000000000000',
      Host: 'sandbox.example',
      ...told(now),
      CreatedAt: now,
    },
  });

const paused = aboutEndpoint((now) => ({ PausedBy: 'SYSTEM', Reason: SAMPLE, PausedAt: now }));
const recovered = aboutEndpoint((now) => ({ After: 'endpoint.paused', Since: now, RecoveredAt: now }));
const failed = aboutEndpoint((now) => ({
  DeliveryId: '00000000-0000-7000-8000-000000000000',
  Event: 'wallet.credited',
  Reference: 'sandbox',
  LastError: SAMPLE,
  Failed: 1,
  Since: now,
}));

/** Of a dispute that there is not. */
const dispute =
  (State: string, told: (now: Date) => object = () => ({})) =>
  ({ reference, now }: SampleFacts) => ({
    reference,
    data: {
      ID: '00000000-0000-7000-8000-000000000000',
      TransactionReference: `${reference}-movement`,
      Wallet: 'sandbox',
      Amount: 1500.5,
      Currency: 'NGN',
      State,
      RespondBy: now,
      Refunded: 0,
      RefundReference: '',
      CreatedAt: now,
      ...told(now),
    },
  });

/** Of a payout that there is not. */
const payout =
  (Status: string, told: (now: Date) => object = () => ({})) =>
  ({ reference, now }: SampleFacts) => ({
    reference,
    data: {
      Wallet: 'sandbox',
      FailureReason: Status === 'Failed' ? 'PAYOUT_REFUSED' : '',
      BankName: 'PayTag Test Bank',
      Transaction: {
        Amount: 1500.5,
        Fee: 0,
        Status,
        Reference: reference,
        ExternalReference: '',
        Comment: COMMENT,
      },
      CreatedAt: now,
      SentAt: now,
      ...told(now),
    },
  });

/** What a partner is sent of each of its events: reference and data. */
export const partnerSamples = {
  'wallet.credited': movement(true),
  'wallet.debited': movement(false),
  'transaction.status': paid,
  'endpoint.paused': paused,
  'endpoint.recovered': recovered,
  'delivery.failed': failed,
  'dispute.opened': dispute('OPEN'),
  'dispute.expired': dispute('EXPIRED', (now) => ({ ExpiredAt: now })),
  'dispute.decided': dispute('WON', (now) => ({ DecidedAt: now })),
  'payout.sent': payout('Pending'),
  'payout.successful': payout('Successful', (now) => ({ EndedAt: now })),
  'payout.failed': payout('Failed', (now) => ({ EndedAt: now })),
  'payout.reversed': payout('Reversed', (now) => ({ EndedAt: now, ReversedAt: now })),
} as const;

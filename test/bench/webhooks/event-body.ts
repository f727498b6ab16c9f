import { randomUUID } from 'node:crypto';

/** The body of a `wallet.credited` event, as long as a real one. */
export const eventBody = (reference: string): string =>
  JSON.stringify({
    event: 'wallet.credited',
    reference,
    data: {
      Amount: 1500.5,
      Operation: 'Credit',
      Transaction: {
        Amount: 1500.5,
        Fee: 10,
        Status: 'Successful',
        Reference: randomUUID(),
        ExternalReference: randomUUID(),
        Comment: 'School fees, second term',
      },
      OpeningBalance: 20000,
      ClosingBalance: 21500.5,
      CreatedAt: '2026-01-15T09:30:00.000Z',
    },
  });

import { expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { statusEvents } from '../../support/payments.ts';
import { newTerminal, payAt } from '../../support/terminals.ts';

const server = useApp({ FEE_PARTNER_TERMINAL: '1.5%', FEE_COMMISSION: '2.5', PUBLIC_URL: 'https://pay.example.com' });

const device = {
  terminalId: '2ABC0001',
  merchant: 'Mama Nkechi Stores',
  email: 'till@nkechi.example',
  phoneNumber: '+2348031234567',
  paytag: 'nkechi',
  metadata: { shelf: 4, 10: 'ten', 2: 'two' },
};

it('carries every member of the contract, in its order, with the terminal as it is after the payment', async () => {
  const partner = await server.newPartner();
  const terminal = await newTerminal(server, partner, device);
  const sender = { name: 'Bola Ade', paytag: 'bola', type: 'CARD' };
  await payAt(server, terminal, { amount: 500, reference: 't0' });
  await payAt(server, terminal, {
    amount: 1000,
    reference: 't1',
    comment: 'Fridge',
    sender,
    metadata: { till: 3 },
  });
  const body = (await statusEvents(server, partner))[1] ?? '';
  const { Date: at, CompletedAt, Terminal } = JSON.parse(body).data;
  const { CreatedAt } = Terminal;
  for (const one of [at, CompletedAt, CreatedAt]) expect(one).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const expected = {
    event: 'transaction.status',
    reference: 't1',
    data: {
      Amount: 1000,
      Fee: 15,
      Commission: 2.5,
      Net: 982.5,
      Reference: 't1',
      Sender: 'Bola Ade',
      SenderDetails: { Name: 'Bola Ade', Paytag: 'bola', Type: 'CARD', Currency: 'NGN', Amount: 1000, Fee: 15 },
      Recipient: 'Mama Nkechi Stores',
      Status: 'Successful',
      Comment: 'Fridge',
      Date: at,
      CompletedAt,
      Metadata: { till: 3 },
      Terminal: {
        SerialNumber: terminal,
        TerminalID: '2ABC0001',
        Merchant: 'Mama Nkechi Stores',
        Email: 'till@nkechi.example',
        PhoneNumber: '+2348031234567',
        Status: 'Active',
        PayTag: 'nkechi',
        Qr: 'https://pay.example.com/p/nkechi',
        CreatedAt,
        Metadata: device.metadata,
        Balance: 1472.5,
      },
    },
  };
  expect(body).toBe(JSON.stringify(expected));
});

it('equals the output of JSON.stringify byte for byte, for any content', async () => {
  const partner = await server.newPartner();
  const terminal = await newTerminal(server, partner, device);
  const comment = 'naïve "quotes" \\ \n\t\u0001 ₦ 😀 </script>';
  for (const amount of [0.01, 0.1, 1, 1234.56, 9_999_999_999_999.99]) {
    await payAt(server, terminal, { amount, comment, metadata: { b: [1.5, null], a: { 2: 'x', 1: 'y' } } });
  }
  const bodies = await statusEvents(server, partner);
  expect(bodies).toHaveLength(5);
  for (const body of bodies) {
    expect(body).toBe(JSON.stringify(JSON.parse(body)));
    expect(JSON.parse(body).data.Comment).toBe(comment);
  }
});

it('has every member without a value too: an empty text or object, or 0; of what is a date, none', async () => {
  const partner = await server.newPartner();
  const terminal = await newTerminal(server, partner);
  await payAt(server, terminal, { amount: 10, reference: 'bare', sender: {} });
  const gateway = { type: 'PARTNER_GATEWAY', partnerId: partner.id, amount: 10, reference: 'g' };
  await server.operate('POST', '/transactions', { ...gateway, sender: { name: 'Bola Ade' } });
  const [bare, online] = (await statusEvents(server, partner)).map((body) => JSON.parse(body).data);
  const none = { Sender: '', Comment: '', Metadata: {}, Recipient: expect.stringMatching(/^Partner \d+$/) };
  const noDetails = { Name: '', Paytag: '', Type: '', Currency: 'NGN', Amount: 10 };
  expect(bare).toMatchObject({ ...none, SenderDetails: { ...noDetails, Fee: 0.15 } });
  const noTerminal = {
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
  };
  const { CreatedAt } = bare.Terminal;
  expect(bare.Terminal).toEqual({
    ...noTerminal,
    SerialNumber: terminal,
    Status: 'Active',
    CreatedAt: expect.any(String),
    Balance: 7.35,
  });
  expect(Date.parse(CreatedAt)).not.toBeNaN();
  expect(online).toMatchObject({ ...none, Sender: 'Bola Ade', SenderDetails: { ...noDetails, Name: 'Bola Ade' } });
  expect(online.Terminal).toEqual(noTerminal);
});

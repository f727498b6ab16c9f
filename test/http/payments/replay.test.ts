import { expect, it } from 'vitest';
import { asMinor } from '#modules/ledger';
import { reportGatewayPayment } from '#modules/payments';
import { parseCharge } from '../../../src/config/charge.ts';
import { useApp } from '../../support/app.ts';
import { bookOf, statusEvents } from '../../support/payments.ts';

const server = useApp({ FEE_PARTNER_GATEWAY: '1%', FEE_COMMISSION: '5' });

it('a payment reported again answers as it did, also when charges have been configured otherwise meanwhile', async () => {
  const partner = await server.newPartner();
  const payment = {
    actor: 'operator:root',
    partnerId: partner.id,
    amount: asMinor(100_000n),
    reference: 'g1',
    sender: { name: 'Bola Ade' },
  };
  const first = await reportGatewayPayment(server.resources, payment);
  expect(first).toMatchObject({ fee: 1_000n, commission: 500n, net: 98_500n });
  const { fees } = server.resources;
  const dearer = { ...fees, gateway: parseCharge('50%') ?? fees.gateway };
  expect(await reportGatewayPayment({ ...server.resources, fees: dearer }, payment)).toEqual(first);
  expect(await bookOf(server, 'FLOAT', partner.id)).toEqual({ kobo: 98_500, entries: 1 });
  expect(await statusEvents(server, partner)).toHaveLength(1);
});

it('charges that leave nothing move nothing into the float, and the payment’s event is published all the same', async () => {
  const partner = await server.newPartner();
  const answer = await server.operate('POST', '/transactions', {
    type: 'PARTNER_GATEWAY',
    partnerId: partner.id,
    amount: 3,
    reference: 'small',
    sender: { name: 'Bola Ade' },
  });
  expect(answer.json()).toMatchObject({ Status: 'Successful', Amount: 3, Fee: 0.03, Commission: 2.97, Net: 0 });
  expect(await bookOf(server, 'FLOAT', partner.id)).toEqual({ kobo: 0, entries: 0 });
  expect(await statusEvents(server, partner)).toHaveLength(1);
});

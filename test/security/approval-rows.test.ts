import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { approve, askedFunding, floatOf } from '../support/approvals.ts';
import { auditOf } from '../support/audit.ts';
import { newOperator } from '../support/operators.ts';
import { refusalOf } from '../support/refusals.ts';

const server = useApp({ APPROVAL_ABOVE: '10' });

/** As whoever has come to the server's login of the database, and to no key. */
const write = (statement: string, values: unknown[]) => server.resources.pool.query(statement, values);

it('V2.3.5: a request that was given what another asks for is refused, and ends', async () => {
  const [asked, other] = [await askedFunding(server, server), await askedFunding(server, server)];
  await write(
    'update approvals.approval set input_sealed = (select input_sealed from approvals.approval where id = $2) where id = $1',
    [asked.id, other.id],
  );
  const second = await newOperator(server, 'admin');
  expect((await second.operate('GET', `/approvals/${asked.id}`)).json()).not.toHaveProperty('request');
  expect(refusalOf(await approve(second, asked.id))).toEqual([409, 'APPROVAL_NOT_PENDING']);
  expect((await server.operate('GET', `/approvals/${asked.id}`)).json()).toMatchObject({ status: 'REJECTED' });
  expect((await auditOf(server, asked.id)).at(-1)).toMatchObject({ actor: second.actor, action: 'approval.forged' });
  expect(await floatOf(server, other.partnerId)).toBe(0);
  expect((await approve(second, other.id)).statusCode).toBe(200);
});

it('V2.3.5: a request that was copied in another’s name is not approved by whoever asked', async () => {
  const [asks, named] = [await newOperator(server, 'finance'), await newOperator(server, 'admin')];
  const { id, partnerId } = await askedFunding(server, asks);
  const { rows } = await write(
    `insert into approvals.approval
         (operation, digest, input_sealed, amount, requested_by, requested_by_name, created_at, expires_at)
       select operation, $2, input_sealed, amount, $3, $4, created_at, expires_at
         from approvals.approval where id = $1 returning id`,
    [id, randomBytes(32), named.id, named.name],
  );
  expect(refusalOf(await approve(asks, rows[0].id))).toEqual([409, 'APPROVAL_NOT_PENDING']);
  expect(await floatOf(server, partnerId)).toBe(0);
});

it('V2.3.5: a request that was only marked as done is not done when it is asked for again', async () => {
  const named = await newOperator(server, 'admin');
  const { id: partnerId } = await server.newPartner();
  const ask = async () =>
    server.operate('POST', `/partners/${partnerId}/float`, { amount: 5000, reference: `marked-${partnerId}` });
  const { id } = (await ask()).json<{ id: string }>();
  const done = await askedFunding(server, server);
  await approve(named, done.id);
  await write(
    `update approvals.approval set status = 'EXECUTED', decided_by = $2, decided_by_name = 'x', ended_at = now(),
       answer_sealed = (select answer_sealed from approvals.approval where id = $3) where id = $1`,
    [id, named.id, done.id],
  );
  expect((await ask()).statusCode).toBe(202);
  expect(await floatOf(server, partnerId)).toBe(0);
});

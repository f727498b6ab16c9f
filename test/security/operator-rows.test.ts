import { expect, it } from 'vitest';
import { sha256 } from '#lib/crypto/digest.ts';
import { useApp } from '../support/app.ts';
import { newOperator, operateAs } from '../support/operators.ts';
import { refusalOf } from '../support/refusals.ts';
import { another } from '../support/tags.ts';

const server = useApp();
/** As whoever has the login of the server at the database, and nothing else of it. */
const write = (statement: string, values: unknown[]) => server.resources.pool.query(statement, values);
const me = async (token: string) => refusalOf(await operateAs(server, token)('GET', '/operators/me'));

it('V13.2.2: the server’s login at the database makes no operator', async () => {
  const token = `op_sandbox_${'Evil'.padEnd(43, 'x1')}`;
  const made = await write(
    `insert into operators.operator (name, role, status, token_digest, token_expires_at, created_at, updated_at)
      values ($1, 'admin', 'ACTIVE', $2, now() + interval '9000 days', now(), now())`,
    [another('Insider '), sha256(token)],
  );
  expect(made.rowCount).toBe(1);
  expect(await me(token)).toEqual([401, 'INVALID_CREDENTIALS']);
});

it.each([
  ['raises no role', `role = 'admin'`],
  ['prolongs no token', `token_expires_at = token_expires_at + interval '1 day'`],
  ['puts no other name into the audit log', `name = 'Ngozi ' || id`],
])('V13.2.2: the server’s login at the database %s', async (_what, change) => {
  const { id, token, operate } = await newOperator(server, 'viewer');
  expect((await operate('GET', '/operators/me')).statusCode).toBe(200);
  expect((await write(`update operators.operator set ${change} where id = $1`, [id])).rowCount).toBe(1);
  expect(await me(token)).toEqual([401, 'INVALID_CREDENTIALS']);
});

it('V13.2.2: it lets no disabled operator in, and takes over no token with one of its own', async () => {
  const gone = await newOperator(server, 'finance');
  await server.operate('POST', `/operators/${gone.id}/disable`, { reason: 'left' });
  await write(`update operators.operator set status = 'ACTIVE' where id = $1`, [gone.id]);
  expect(await me(gone.token)).toEqual([401, 'INVALID_CREDENTIALS']);

  const [victim, viewer] = [await newOperator(server, 'admin'), await newOperator(server, 'viewer')];
  const own = `op_sandbox_${'Mine'.padEnd(43, 'y2')}`;
  await write('update operators.operator set token_digest = $2 where id = $1', [victim.id, sha256(own)]);
  await write('update operators.operator set mac = (select mac from operators.operator where id = $2) where id = $1', [
    victim.id,
    viewer.id,
  ]);
  expect(await me(own)).toEqual([401, 'INVALID_CREDENTIALS']);
});

it('V13.2.2: what was written past the server is not made good by a change of it, and can be disabled', async () => {
  const { id } = await newOperator(server, 'viewer');
  await write(`update operators.operator set role = 'finance' where id = $1`, [id]);
  const conflict = [409, 'OPERATOR_STATUS_CONFLICT'];
  expect(refusalOf(await server.operate('POST', `/operators/${id}/rotate`, {}))).toEqual(conflict);
  const promotion = { role: 'admin', reason: 'promoted' };
  expect(refusalOf(await server.operate('PATCH', `/operators/${id}`, promotion))).toEqual(conflict);
  expect((await server.operate('POST', `/operators/${id}/disable`, { reason: 'forged' })).statusCode).toBe(200);
  expect(refusalOf(await server.operate('POST', `/operators/${id}/enable`, { reason: 'again' }))).toEqual(conflict);
});

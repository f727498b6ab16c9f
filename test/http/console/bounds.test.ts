import { beforeAll, expect, it } from 'vitest';
import { operatorOperations } from '#wire/operator-operations.ts';
import { useSharedApp } from '../../support/app.ts';
import { newOperator } from '../../support/operators.ts';
import { encoded, hiddenIn, signedIn, type TestConsole, textOf } from './console.ts';

const server = useSharedApp();
const KIB = 1024;
const FORM_MAX = 64 * KIB;
/** The letter that takes most bytes in a form. */
const WIDEST = '😀';
const withFiles = ['importBankFile'];
const forms = operatorOperations.filter(
  ({ method, operationId }) => method !== 'GET' && !withFiles.includes(operationId),
);

let admin: TestConsole;
beforeAll(async () => {
  admin = await signedIn(server, (await newOperator(server, 'admin')).token);
});

const post = (path: string, type: string, payload: string) =>
  server.call('POST', `/console${path}`, { headers: { cookie: admin.cookie, 'content-type': type }, payload });
const URLENCODED = 'application/x-www-form-urlencoded';

it('a form takes what fills its longest fields, in letters of any script, and no more than 64 KiB; one with a file 17 MiB', async () => {
  const filled = forms.map(({ operationId, parameters }) => {
    const texts = parameters.map(({ name, maxLength = 36 }): [string, string] => [name, WIDEST.repeat(maxLength)]);
    return [operationId, encoded(Object.fromEntries(texts)).length];
  });
  expect(filled.filter(([, length]) => Number(length) > FORM_MAX - 2 * KIB)).toEqual([]);
  const tooLong = encoded({ reason: 'x'.repeat(FORM_MAX) });
  const outcomes = await Promise.all(
    [...forms.map(({ operationId }) => `/actions/${operationId}`), '/search', '/sign-in', '/sign-out'].map(
      async (path) => [path, (await post(path, URLENCODED, tooLong)).statusCode],
    ),
  );
  expect(outcomes.filter(([, status]) => status !== 413)).toEqual([]);
  const { form = '' } = hiddenIn((await admin.get('/console/actions/importBankFile')).body);
  const file = encoded({ form, rail: 'INBOUND', format: 'MT940', content: btoa('x'.repeat(FORM_MAX)) });
  const read = await post('/actions/importBankFile', URLENCODED, file);
  expect(textOf(read)).toContain('BANK_FILE_UNREADABLE');
  const large = await post('/actions/importBankFile', URLENCODED, `content=${'x'.repeat(17 * KIB * KIB)}`);
  expect([large.statusCode, textOf(large)]).toEqual([413, expect.stringContaining('17408 KiB')]);
});

it('a form without a file is not read in parts', async () => {
  const part = '--x\r\ncontent-disposition: form-data; name="reason"\r\n\r\n1\r\n--x--\r\n';
  const answer = await post('/actions/createPartner', 'multipart/form-data; boundary=x', part);
  expect([answer.statusCode, textOf(answer)]).toEqual([415, expect.stringContaining('UNSUPPORTED_MEDIA_TYPE')]);
});

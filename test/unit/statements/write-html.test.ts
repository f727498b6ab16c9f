import { expect, it } from 'vitest';
import { asMinor } from '#modules/ledger';
import { writeHtml } from '../../../src/modules/statements/write-html.ts';
import { statementOf, written } from '../../support/statements.ts';

const htmlOf = async (statement: Parameters<typeof writeHtml>[0]) => (await written(writeHtml(statement))).toString();

it('escapes all text, and has no script and nothing to load', async () => {
  const evil = `<img src=x onerror=alert(1)>"'&</style><script>`;
  const html = await htmlOf(
    statementOf([{ amount: 1n, comment: evil, reference: evil, description: evil }], { holder: evil, partner: evil }),
  );
  const safe = '&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;&lt;/style&gt;&lt;script&gt;';
  expect(html.split(safe)).toHaveLength(7);
  expect(html).not.toMatch(/<script|<img|<link|\ssrc="|\son\w+="|url\(/i);
  expect(html.match(/<\/style>/g)).toHaveLength(1);
});

it('shows the totals and each line, and prints its header on every page', async () => {
  const html = await htmlOf(statementOf([{ amount: 123_456_789n }, { amount: -100n }], { opening: asMinor(1n) }));
  for (const text of [
    '<html lang="en-NG">',
    '₦0.01',
    '₦1,234,567.89',
    '₦1.00',
    '₦1,234,566.90',
    '<h2>Ada Obi</h2>',
    '@ada',
  ]) {
    expect(html).toContain(text);
  }
  expect(html.match(/ref-\d-/g)).toEqual(['ref-0-', 'ref-1-']);
  expect(html).toContain('thead { display: table-header-group; }');
  expect(html).toContain('content="noindex, nofollow"');
});

it('of a time when nothing happened says so', async () => {
  expect(await htmlOf(statementOf([]))).toContain('There were no transactions in this period.');
});

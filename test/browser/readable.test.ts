import { expect, it } from 'vitest';
import { useChromium } from '../support/chromium.ts';
import { faultsOf } from './readable.ts';

const chromium = useChromium();

it('every kind of accessibility fault on a page is found', async () => {
  const context = await chromium.newContext();
  try {
    const page = await context.newPage();
    await page.setContent(`<h1>One</h1><h1>Two</h1><input name="x" required aria-describedby="nobody">
      <a href="#nowhere" style="color: #ccc">on</a><button></button><input type="radio"><p style="width: 4000px">wide</p>`);
    expect(await faultsOf(page)).toEqual([
      'not one h1',
      'no language',
      'no title',
      'not one main',
      'a field without a label: x',
      'a field that cannot be filled in: x',
      'a field without a label: ',
      'described by nothing',
      'a link to nothing: #nowhere',
      'a control without a name',
      'choices without a question',
      expect.stringContaining('too small for a finger'),
      expect.stringContaining('too small for a finger'),
      'wider than the screen',
      'too little contrast',
    ]);
  } finally {
    await context.close();
  }
});

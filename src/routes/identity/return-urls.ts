import { z } from 'zod';
import { webUrl } from '#wire/text.ts';

const RETURN_URLS_MAX = 10;

const returnUrls = z
  .array(webUrl)
  .max(RETURN_URLS_MAX, `must have at most ${RETURN_URLS_MAX} items`)
  .meta({
    description:
      'https, without query and fragment; outside live http is good for localhost. All together: those that are left out are forgotten',
    example: ['https://shop.example/linked'],
  });

export const returnUrlsChange = z.object({ returnUrls });

export const returnUrlsShape = z.object({ returnUrls: z.array(z.string()) }).meta({ id: 'ReturnUrls' });

import { z } from 'zod';
import { disturbedAnswers, providerNames } from '../../providers/disturbance.ts';

/** The path of an operation on one provider. */
export const providerParams = z.object({
  provider: z.enum(providerNames, `must be one of ${providerNames.join(', ')}`),
});

/** How a provider's simulator answers. */
export const disturbedAnswer = z.enum(disturbedAnswers).meta({
  description:
    'fail: it is down. timeout: its answer does not come. slow: its answer is the usual one, after the delay',
});

/** What a simulator was told, for how many more calls. */
export const disturbanceShape = z.object({
  provider: providerParams.shape.provider,
  answer: disturbedAnswer,
  delayMs: z.int().meta({ description: 'Milliseconds before it', example: 1000 }),
  timesLeft: z.int().meta({ description: 'For how many more calls', example: 1 }),
});

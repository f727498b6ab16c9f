import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { liftWalletLien } from '#modules/wallets';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { approvalShape } from './shapes/approval.ts';
import { reasonBody } from './shapes/reason.ts';
import { lienShape, toLien, walletParams } from './shapes/wallet.ts';

const id = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'must be the id of a lien')
  .transform(Number);

const params = walletParams.extend({ id });

type Deps = DepsOf<typeof liftWalletLien> & FourEyesDeps;

export function postWalletsLiensLift(app: ZodApp, deps: Deps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /wallets/:reference/liens/:id/lift',
    params,
    body: reasonBody,
    waits: 'as judged',
    repeatable: false,
    run: async ({ params: { reference: walletReference, id: lien }, body, actor, judge }) =>
      toLien(await liftWalletLien(deps, { ...body, walletReference, lien, actor, judge })),
  });
  app.post(
    '/wallets/:reference/liens/:id/lift',
    {
      schema: {
        operationId: 'liftLien',
        summary: 'Let the amount of a lien be spent again',
        params,
        body: reasonBody,
        response: {
          200: lienShape,
          202: approvalShape,
          ...failuresFor('LIEN_NOT_FOUND', 'WALLET_NOT_FOUND', 'LIEN_LIFTED', 'LIEN_OF_DISPUTE'),
        },
      },
    },
    handle,
  );
}

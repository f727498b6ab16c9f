import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { findWalletHistory } from '#modules/collections';
import { mayDo } from '#modules/operators';
import { revokeWalletAndSessions } from '#modules/sessions';
import {
  changeWallet,
  findWalletsForOperator,
  getWalletForOperator,
  liftWalletLien,
  listWalletHolds,
  listWalletLiens,
  placeWalletLien,
} from '#modules/wallets';
import { momentIn } from '#wire/moment.ts';
import { amountIn, amountInQuery, currencyCode, limitIn } from '#wire/money.ts';
import { numberKey, pagedBy } from '#wire/paging.ts';
import { optional, reason, text } from '#wire/text.ts';
import { tier, walletStatus } from '#wire/wallet.ts';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { listOrFile } from './list-or-file.ts';
import {
  approvalShape,
  foundShape,
  holdShape,
  lienShape,
  listedWalletShape,
  reasonBody,
  toFoundTransaction,
  toHold,
  toLien,
  toListedWallet,
  toWallet,
  transactionFilter,
  walletParams,
  walletShape,
} from './shapes.ts';

export function getWalletsByReference(
  app: ZodApp,
  { readLong, ...deps }: DepsOf<typeof getWalletForOperator> & { readLong: ReadLong },
): void {
  app.get(
    '/wallets/:reference',
    {
      schema: {
        operationId: 'getWallet',
        summary: 'A wallet with its rules and liens',
        params: walletParams,
        response: { 200: walletShape, ...failuresFor('WALLET_NOT_FOUND') },
      },
    },
    async ({ actor, params }, reply) => {
      const wallet = await readLong(actor, async (db) => getWalletForOperator(deps, db, params.reference));
      reply.header('cache-control', 'no-store');
      return toWallet(wallet);
    },
  );
}

const historyList = listOrFile('history', pagedBy('movements', numberKey), foundShape);

export function getWalletsHistory(app: ZodApp, { readLong }: { readLong: ReadLong }): void {
  app.get(
    '/wallets/:reference/history',
    {
      schema: {
        operationId: 'listWalletHistory',
        summary: 'What moved a wallet, newest first, with its balance before and after',
        params: walletParams,
        querystring: historyList.query.extend(transactionFilter),
        response: { 200: historyList.response, ...failuresFor('WALLET_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const { format: _format, ...asked } = request.query;
      const { reference: wallet } = request.params;
      return historyList.answer(request, reply, {
        asked: request.query,
        read: (page) => readLong(request.actor, (db) => findWalletHistory(db, { ...asked, ...page, wallet })),
        toItem: toFoundTransaction,
      });
    },
  );
}

const holdsList = listOrFile('holds', pagedBy('holds', numberKey), holdShape);

export function getWalletsHolds(app: ZodApp, { readLong }: { readLong: ReadLong }): void {
  app.get(
    '/wallets/:reference/holds',
    {
      schema: {
        operationId: 'listWalletHolds',
        summary: 'What of a wallet’s money is set aside, and what for, newest first',
        params: walletParams,
        querystring: holdsList.query,
        response: { 200: holdsList.response, ...failuresFor('WALLET_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const { reference } = request.params;
      return holdsList.answer(request, reply, {
        asked: request.query,
        read: (page) => readLong(request.actor, (db) => listWalletHolds(db, { reference, ...page })),
        toItem: toHold,
      });
    },
  );
}

const liensList = listOrFile('liens', pagedBy('liens', numberKey), lienShape);

export function getWalletsLiens(app: ZodApp, { readLong }: { readLong: ReadLong }): void {
  app.get(
    '/wallets/:reference/liens',
    {
      schema: {
        operationId: 'listWalletLiens',
        summary: 'The liens of a wallet with their reasons, the lifted ones too, newest first',
        params: walletParams,
        querystring: liensList.query,
        response: { 200: liensList.response, ...failuresFor('WALLET_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const { reference } = request.params;
      return liensList.answer(request, reply, {
        asked: request.query,
        read: (page) => readLong(request.actor, (db) => listWalletLiens(db, { reference, ...page })),
        toItem: toLien,
      });
    },
  );
}

const id = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'must be the id of a lien')
  .transform(Number);

const lienParams = walletParams.extend({ id });

type LiensLiftDeps = DepsOf<typeof liftWalletLien> & FourEyesDeps;

export function postWalletsLiensLift(app: ZodApp, deps: LiensLiftDeps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /wallets/:reference/liens/:id/lift',
    params: lienParams,
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
        params: lienParams,
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

export function postWalletsLiens(app: ZodApp, deps: DepsOf<typeof placeWalletLien>): void {
  app.post(
    '/wallets/:reference/liens',
    {
      schema: {
        operationId: 'createLien',
        summary: 'Keep an amount of a wallet from being spent',
        params: walletParams,
        body: z.object({ amount: amountIn, reason }),
        response: { 201: lienShape, ...failuresFor('WALLET_NOT_FOUND', 'WALLET_REVOKED') },
      },
    },
    async (request, reply) => {
      const walletReference = request.params.reference;
      const lien = await placeWalletLien(deps, { ...request.body, walletReference, actor: request.actor });
      reply.code(201);
      return toLien(lien);
    },
  );
}

export function postWalletsRevoke(app: ZodApp, deps: DepsOf<typeof revokeWalletAndSessions>): void {
  app.post(
    '/wallets/:reference/revoke',
    {
      schema: {
        operationId: 'revokeWallet',
        summary: 'Revoke an empty wallet for good, and its customer’s tokens at that partner',
        params: walletParams,
        body: reasonBody,
        response: { 200: walletShape, ...failuresFor('WALLET_NOT_FOUND', 'WALLET_NOT_EMPTY', 'WALLET_REVOKED') },
      },
    },
    async (request) => {
      const change = { ...request.body, ...request.params, actor: request.actor };
      return toWallet(await revokeWalletAndSessions(deps, change));
    },
  );
}

const listList = listOrFile('wallets', pagedBy('wallets', numberKey), listedWalletShape);

const query = listList.query.extend({
  nuban: optional(z.string().regex(/^\d{10}$/, 'must be 10 digits')),
  paytag: optional(text(40)),
  partnerId: optional(z.uuid()),
  status: optional(walletStatus),
  currency: optional(currencyCode),
  amountFrom: optional(amountInQuery).meta({ description: 'totalAmount is this or more' }),
  amountTo: optional(amountInQuery).meta({ description: 'totalAmount is this or less' }),
  from: optional(momentIn).meta({ description: 'It was made then or later' }),
  to: optional(momentIn).meta({ description: 'It was made before' }),
});

export function getWallets(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof findWalletsForOperator>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/wallets',
    {
      schema: {
        operationId: 'listWallets',
        summary: 'Find wallets by account number, PayTag, partner, status, amount or time, newest first',
        querystring: query,
        response: { 200: listList.response },
      },
    },
    async (request, reply) => {
      const { format: _format, ...asked } = request.query;
      return listList.answer(request, reply, {
        asked: request.query,
        read: (page) => readLong(request.actor, (db) => findWalletsForOperator({ ...deps, db }, { ...asked, ...page })),
        toItem: toListedWallet,
      });
    },
  );
}

const body = z.object({
  status: optional(walletStatus),
  dailyLimit: limitIn.nullable().optional().meta({ description: 'null: what the tier allows' }),
  tier: tier.optional(),
  reason,
});

type ChangeDeps = DepsOf<typeof changeWallet> & FourEyesDeps;

export function patchWallets(app: ZodApp, deps: ChangeDeps): void {
  const handle = fourEyes(app, deps, {
    name: 'PATCH /wallets/:reference',
    params: walletParams,
    body,
    waits: 'as judged',
    repeatable: false,
    run: async ({ params, body: rules, actor, role, judge }) => {
      const isAdmin = mayDo(role, 'admin');
      return toWallet(await changeWallet(deps, { ...rules, ...params, actor, isAdmin, judge }));
    },
  });
  app.patch(
    '/wallets/:reference',
    {
      schema: {
        operationId: 'changeWallet',
        summary: 'Change the rules of a wallet; refunds that waited for it come in when it takes money again',
        description:
          'What lets more than APPROVAL_ABOVE be spent that could not be before, by a status or by a higher limit, waits for another operator.',
        params: walletParams,
        body,
        response: { 200: walletShape, 202: approvalShape, ...failuresFor('WALLET_NOT_FOUND', 'WALLET_REVOKED') },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return handle(request, reply);
    },
  );
}

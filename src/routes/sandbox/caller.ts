import type { FastifyRequest } from 'fastify';
import { applicationOf } from '#http/auth/application.ts';
import { partnerOf } from '#http/auth/partner.ts';
import { applicationOnly, partnerOnly } from '#http/openapi-meta.ts';

/** Who calls what partners and applications both may: the same endpoint, mounted once for each. */
export interface SandboxCaller {
  readonly kind: 'partner' | 'application';
  readonly security: typeof partnerOnly | typeof applicationOnly;
  readonly ownerOf: (request: FastifyRequest) => string;
  /** The operation as clients call it: `markTimeForward`, `markTimeForwardForApplication`. */
  readonly operationId: (name: string) => string;
}

/** By partner credentials, at the surface's own paths. */
export const asPartner: SandboxCaller = {
  kind: 'partner',
  security: partnerOnly,
  ownerOf: (request) => partnerOf(request).id,
  operationId: (name) => name,
};

/** By an application token, at the same paths under `/application`. */
export const asApplication: SandboxCaller = {
  kind: 'application',
  security: applicationOnly,
  ownerOf: (request) => applicationOf(request).id,
  operationId: (name) => `${name}ForApplication`,
};

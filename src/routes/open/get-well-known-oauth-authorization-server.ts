import type { ZodApp } from '#http/zod-app.ts';

/**
 * What an OAuth client need know of us (RFC 8414). Applications get their tokens by client credentials; a customer's token is
 * handed to a partner's server by operations of its own, which are no OAuth endpoints and are not named here.
 */
export function getWellKnownOauthAuthorizationServer(app: ZodApp, { publicUrl }: { publicUrl: string }): void {
  app.get('/.well-known/oauth-authorization-server', async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=300');
    return {
      issuer: publicUrl,
      token_endpoint: `${publicUrl}/api/v1/auth/token`,
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      grant_types_supported: ['client_credentials'],
      response_types_supported: [],
      jwks_uri: `${publicUrl}/.well-known/jwks.json`,
      service_documentation: `${publicUrl}/docs/switch`,
    };
  });
}

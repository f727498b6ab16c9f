import { version } from '../version.ts';
import type { DemoCredentials } from './credentials-file.ts';

interface Started {
  readonly environment: string;
  readonly publicUrl: string;
  /** The origin of the operator's API. */
  readonly operatorUrl: string;
  /** What is not real. */
  readonly simulated: readonly string[];
}

/** What the embedded sandbox prints at its start: what it is and what of it is not real, where its APIs are, credentials that work, and what to try. */
export function greeting(
  { environment, publicUrl: origin, operatorUrl, simulated }: Started,
  credentials: DemoCredentials,
  now: Date,
): string {
  const { partner, paytags, password, wallet, terminal, applications, consent } = credentials;
  const [application] = applications;
  const consentLine =
    new Date(consent.until) > now ? `  Consent to answer     ${origin}/api/v1/consent/${consent.token}\n` : '';
  const secretLine =
    partner.webhookSecret === undefined ? '' : `                        webhooks:    ${partner.webhookSecret}\n`;
  return `
PayTag ${version} is listening: environment ${environment}. Simulated are ${simulated.join(', ')}.

  In a browser          ${origin}          (guides, and a reference to try: ${origin}/docs)
  Partner and SSO API   ${origin}/v2       (OpenAPI: ${origin}/v2/openapi.json)
  Tag switch, identity  ${origin}/api/v1   (OpenAPI: ${origin}/api/openapi.json)
  Operator API          ${operatorUrl}/operator/v1   (pages: ${operatorUrl}/console)

  Demo partner          x-client-id: ${partner.clientId}
                        x-api-key:   ${partner.apiKey}
                        x-terminal:  ${terminal}
${secretLine}  Demo customers        ${paytags.join(', ')}   (password: ${password})
  Ada's wallet          ${wallet}
  Demo application      client_id:     ${application?.clientId}
                        client_secret: ${application?.clientSecret}
                        (${application?.tag}: an offer of money is pending)
${consentLine}
Try:
  curl ${origin}/api/v1/tags/${paytags[0]}
  curl -X POST ${origin}/v2/partner/wallet/${wallet}/credit \\
    -H 'x-client-id: ${partner.clientId}' -H 'x-api-key: ${partner.apiKey}' \\
    -H 'content-type: application/json' -d '{"amount": 1500.50, "reference": "first-credit"}'

The whole story, in another terminal: npm run tour
Its webhooks, as they come: npm run paytag -- listen
`;
}

import type { Variables } from './variables.ts';

/** A real provider with what is needed to reach it, or the simulator. */
type Provider<Real> = { readonly provider: 'simulator' } | ({ readonly timeoutMs: number } & Real);

/** Which provider of each kind to use, and how to reach it. */
export interface ProviderSettings {
  readonly bvn: Provider<{ provider: 'dojah'; url: string; appId: string; secretKey: string }>;
  readonly bank: Provider<{ provider: 'paystack'; url: string; secretKey: string }>;
  readonly payout: { readonly provider: 'none' } | Provider<{ provider: 'paystack'; url: string; secretKey: string }>;
  readonly inbound:
    | { readonly provider: 'none' }
    | Provider<{ provider: 'paystack'; url: string; secretKey: string; bank: Variables['INBOUND_PAYSTACK_BANK'] }>;
  readonly phone: Provider<{
    provider: 'termii';
    url: string;
    apiKey: string;
    senderId: string;
    whatsappDevice: string;
    route: 'dnd' | 'generic';
  }>;
  readonly email: Provider<{
    provider: 'smtp';
    url: string;
    tls: 'required' | 'none';
    ca: string | undefined;
    from: string;
  }>;
}

/** The root key that wraps the stored keys, and those that still unwrap them. */
export interface RootKeySettings {
  readonly wrapsWith: 'vault' | 'master-key';
  readonly masterKey: Buffer | undefined;
  readonly previousMasterKey: Buffer | undefined;
  readonly vault:
    | { readonly url: string; readonly timeoutMs: number; token: string; readonly mount: string; readonly key: string }
    | undefined;
}

/** The services that simulators replace, as logs and the greeting name them. */
const names = {
  bvn: 'BVN checks',
  bank: 'bank account names',
  payout: 'payouts',
  inbound: 'account numbers',
  phone: 'text messages',
  email: 'e-mail',
} as const;

/** The services that a simulator replaces here. */
export const simulatedOf = (providers: ProviderSettings): string[] =>
  (['bvn', 'bank', 'payout', 'inbound', 'phone', 'email'] as const)
    .filter((kind) => providers[kind].provider === 'simulator')
    .map((kind) => names[kind]);

const simulator = { provider: 'simulator' } as const;

/** Picks the variables of the chosen providers. */
export function providerSettingsOf(read: Variables): ProviderSettings {
  return {
    bvn:
      read.BVN_PROVIDER === 'simulator'
        ? simulator
        : {
            provider: read.BVN_PROVIDER,
            url: read.BVN_DOJAH_URL,
            timeoutMs: read.BVN_TIMEOUT_MS,
            appId: present(read.BVN_DOJAH_APP_ID),
            secretKey: present(read.BVN_DOJAH_SECRET_KEY),
          },
    bank:
      read.BANK_PROVIDER === 'simulator'
        ? simulator
        : {
            provider: read.BANK_PROVIDER,
            url: read.BANK_PAYSTACK_URL,
            timeoutMs: read.BANK_TIMEOUT_MS,
            secretKey: present(read.BANK_PAYSTACK_SECRET_KEY),
          },
    payout:
      read.PAYOUT_PROVIDER === 'paystack'
        ? {
            provider: 'paystack',
            url: read.PAYOUT_PAYSTACK_URL,
            timeoutMs: read.PAYOUT_TIMEOUT_MS,
            secretKey: present(read.PAYOUT_PAYSTACK_SECRET_KEY),
          }
        : { provider: read.PAYOUT_PROVIDER },
    inbound:
      read.INBOUND_PROVIDER === 'paystack'
        ? {
            provider: 'paystack',
            url: read.INBOUND_PAYSTACK_URL,
            timeoutMs: read.INBOUND_TIMEOUT_MS,
            secretKey: present(read.INBOUND_PAYSTACK_SECRET_KEY),
            bank: read.INBOUND_PAYSTACK_BANK,
          }
        : { provider: read.INBOUND_PROVIDER },
    phone:
      read.MESSAGING_PROVIDER === 'simulator'
        ? simulator
        : {
            provider: read.MESSAGING_PROVIDER,
            url: present(read.MESSAGING_TERMII_URL),
            timeoutMs: read.MESSAGING_TIMEOUT_MS,
            apiKey: present(read.MESSAGING_TERMII_API_KEY),
            senderId: present(read.MESSAGING_TERMII_SENDER_ID),
            whatsappDevice: read.MESSAGING_TERMII_WHATSAPP_DEVICE ?? present(read.MESSAGING_TERMII_SENDER_ID),
            route: read.MESSAGING_TERMII_ROUTE,
          },
    email:
      read.EMAIL_PROVIDER === 'simulator'
        ? simulator
        : {
            provider: read.EMAIL_PROVIDER,
            url: present(read.EMAIL_SMTP_URL),
            timeoutMs: read.EMAIL_TIMEOUT_MS,
            tls: read.EMAIL_SMTP_TLS,
            ca: read.EMAIL_SMTP_CA,
            from: present(read.EMAIL_FROM),
          },
  };
}

/** Picks the variables of the root key. Vault may be configured without being chosen: then it only unwraps the keys that it has wrapped. */
export function rootKeySettingsOf(read: Variables): RootKeySettings {
  const { KMS_VAULT_URL: url, KMS_VAULT_TOKEN: token, KMS_VAULT_MOUNT: mount, KMS_VAULT_KEY: key } = read;
  return {
    wrapsWith: read.KMS_PROVIDER === 'vault' ? 'vault' : 'master-key',
    masterKey: read.MASTER_KEY,
    previousMasterKey: read.MASTER_KEY_PREVIOUS,
    vault:
      url === undefined || token === undefined ? undefined : { url, token, mount, key, timeoutMs: read.KMS_TIMEOUT_MS },
  };
}

/** A variable of the chosen provider, which `readVariables` has checked. */
function present(value: string | undefined): string {
  if (value === undefined) throw new Error('a provider was chosen without its variables');
  return value;
}

const LENGTH_MAX = 30;

/** The part after the @ that a name asks for: `Acme Pay Ltd.` asks for `acme-pay-ltd`. Empty when it has no ASCII letter or digit. */
export function namespaceOf(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, LENGTH_MAX)
    .replaceAll(/^-+|-+$/g, '');
}

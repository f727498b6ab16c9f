import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface Certificate {
  key: string;
  /** Its own authority. */
  cert: string;
}

const DAY_MS = 86_400_000;

/** One value in DER (ITU-T X.690): tag, length, content. */
function der(tag: number, ...content: Uint8Array[]): Buffer {
  const whole = Buffer.concat(content);
  const { length } = whole;
  const written = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...written]), whole]);
}
const sequence = (...content: Uint8Array[]): Buffer => der(0x30, ...content);
const text = (tag: number, value: string): Buffer => der(tag, Buffer.from(value));
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const time = (ms: number): Buffer => text(0x17, `${new Date(ms).toISOString().slice(2, 19).replaceAll(/[-T:]/g, '')}Z`);
const extension = (id: string, value: Buffer): Buffer => sequence(oid(id), der(0x04, value));

const COMMON_NAME = '550403';
const ECDSA_WITH_SHA256 = '2a8648ce3d040302';
const SUBJECT_ALT_NAME = '551d11';
const BASIC_CONSTRAINTS = '551d13';

/** As RFC 5280 has it in a subjectAltName. */
function generalName(name: string): Buffer {
  const [kind, value = ''] = name.split(':');
  return kind === 'IP' ? der(0x87, Buffer.from(value.split('.').map(Number))) : text(0x82, value);
}

/** A certificate that nobody has reason to trust, good for two days, for these names, as `DNS:secure.example,IP:127.0.0.1`. */
export function selfSigned(names: string): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(der(0x31, sequence(oid(COMMON_NAME), text(0x0c, 'paytag-test'))));
  const algorithm = sequence(oid(ECDSA_WITH_SHA256));
  const extensions = sequence(
    extension(SUBJECT_ALT_NAME, sequence(...names.split(',').map(generalName))),
    extension(BASIC_CONSTRAINTS, sequence(der(0x01, Buffer.from([0xff])))),
  );
  const told = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1]), randomBytes(8)),
    algorithm,
    name,
    sequence(time(Date.now() - DAY_MS), time(Date.now() + 2 * DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', told, privateKey));
  // Without an empty line at the end, which a signature of some lengths would leave.
  const lines = sequence(told, algorithm, signature)
    .toString('base64')
    .match(/.{1,64}/g)
    ?.join('\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

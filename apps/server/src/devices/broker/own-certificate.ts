import { createPrivateKey, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'

const day = 86_400_000 // ms
const validFor = 825 * day
/** One that ends sooner is made anew. */
export const renewBefore = 30 * day

// DER (ITU-T X.690): what a certificate needs of it.
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts)
const text = (tag: number, words: string) => der(tag, Buffer.from(words, 'ascii'))
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
const commonName = oid('550403')
const subjectAltName = oid('551d11')
const basicConstraints = oid('551d13')

/** GeneralizedTime (RFC 5280 §4.1.2.5.2). */
const time = (at: number) => text(0x18, new Date(at).toISOString().replaceAll(/[-:T]|\.\d+/g, ''))
const nameOf = (name: string) => sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(name)))))

function address(name: string): Buffer {
  if (isIP(name) === 4) return der(0x87, Buffer.from(name.split('.').map(Number)))
  return isIP(name) === 6 ? der(0x87, ipv6(name)) : text(0x82, name)
}

function ipv6(name: string): Buffer {
  const words = new URL(`http://[${name}]`).hostname.slice(1, -1)
  const [head = '', tail] = words.split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  const [before, after] = [groups(head), groups(tail ?? '')]
  const all = tail === undefined ? before : [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]))
}

export type Certificate = { cert: string; key: string }

const makeKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** A certificate of our own for these names (RFC 5280), P-256. Whoever connects has to be given it: no authority signed it. */
export function makeCertificate(
  names: readonly [string, ...string[]],
  now: number,
  { publicKey, privateKey }: ReturnType<typeof makeKeys> = makeKeys()
): Certificate {
  const serial = randomBytes(16)
  serial[0] = (serial[0]! & 0x7f) | 0x40
  const name = nameOf(names[0])
  const extensions = sequence(
    sequence(subjectAltName, der(0x04, sequence(...names.map(address)))),
    sequence(basicConstraints, der(0x01, Buffer.from([0xff])), der(0x04, sequence(der(0x01, Buffer.from([0xff])))))
  )
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ecdsaWithSha256,
    name,
    sequence(time(now - day), time(now + validFor)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions)
  )
  const whole = sequence(body, ecdsaWithSha256, der(0x03, Buffer.from([0]), sign('sha256', body, privateKey)))
  return { cert: new X509Certificate(whole).toString(), key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
}

/** Why a certificate cannot be used, in words; null when it can. */
export function whyNotUsable({ cert, key }: Certificate, now: number): string | null {
  try {
    const read = new X509Certificate(cert)
    if (!read.checkPrivateKey(createPrivateKey(key))) return 'the key is not that of the certificate'
    return Date.parse(read.validTo) <= now ? `it ended on ${read.validTo}` : null
  } catch (error) {
    return (error as Error).message
  }
}

import { createHash, type X509Certificate } from 'node:crypto'
import { TLSSocket } from 'node:tls'
import type { Duplex } from 'node:stream'

/** SHA-256 of its public key: a certificate that is made anew of the same key is as good. */
export const certificateHash = ({ publicKey }: X509Certificate): Buffer =>
  createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest()

/** `hash`: of its public key. */
export type PeerCertificate = { hash: Buffer; ends_at: Date }

/** The certificate with which a connection was opened; undefined: it had none, or one that is not valid at the time. TLS has proved that the key is theirs. */
export function peerCertificate(stream: Duplex, now: Date): PeerCertificate | undefined {
  const given = stream instanceof TLSSocket ? stream.getPeerX509Certificate() : undefined
  const ends_at = given && new Date(given.validTo)
  if (!ends_at || new Date(given.validFrom) > now || ends_at <= now) return undefined
  return { hash: certificateHash(given), ends_at }
}

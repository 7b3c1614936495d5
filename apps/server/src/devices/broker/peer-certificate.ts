import { createHash, type X509Certificate } from 'node:crypto'
import { TLSSocket } from 'node:tls'
import type { Duplex } from 'node:stream'

/** SHA-256 of its public key: a certificate that is made anew of the same key is as good. */
export const certificateHash = ({ publicKey }: X509Certificate): Buffer =>
  createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest()

/** That of the certificate with which a connection was opened; undefined: it had none, or one that is not valid at the time. TLS has proved that the key is theirs. */
export function peerCertificateHash(stream: Duplex, now: Date): Buffer | undefined {
  const given = stream instanceof TLSSocket ? stream.getPeerX509Certificate() : undefined
  if (!given || new Date(given.validFrom) > now || new Date(given.validTo) <= now) return undefined
  return certificateHash(given)
}

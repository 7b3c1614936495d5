import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { createSecureContext, type SecureContext } from 'node:tls'

/** Paths of a certificate and of its key. */
type Files = { cert: string; key: string }
/** `wait`: before they are read again; in tests what happens meanwhile. */
type Given = { wait?: () => Promise<unknown>; onMisfit?: (error: unknown) => void }

const againAfter = 500 // ms
const tries = 60

/**
 * Reads a certificate and its key. Whoever renews them writes one after the other, and each may be half written: while they are there and do not fit they are
 * read again, for half a minute. Throws what was wrong then, or at once where a file cannot be read.
 */
export async function readCertificate(
  { cert, key }: Files,
  { wait = () => pause(againAfter), onMisfit }: Given = {}
): Promise<SecureContext> {
  for (let left = tries; ; left--) {
    const [theCert, theKey] = await Promise.all([readFile(cert), readFile(key)])
    try {
      return createSecureContext({ cert: theCert, key: theKey })
    } catch (error) {
      if (left <= 1) throw error
      if (left === tries) onMisfit?.(error)
    }
    await wait()
  }
}

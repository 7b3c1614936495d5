import { challengePasskey } from '@masthead/contract/auth/step-operations'
import { call } from '../api/client.ts'
import type { Said } from '../ui/FailureNotice.tsx'

export type PasskeyResult = { ok: true; answer: string } | { ok: false; failure: Said }
type Options = Record<string, unknown>

/** Why no passkey can be used here, in words; null when one can. */
export function noPasskeys(): string | null {
  if (!window.isSecureContext) return 'Passkeys need an address that begins with https.'
  if (typeof PublicKeyCredential === 'undefined' || !('parseRequestOptionsFromJSON' in PublicKeyCredential))
    return 'This browser does not support passkeys.'
  // A passkey belongs to a name (WebAuthn §5.1.3).
  if (/^[\d.]+$|^\[/.test(location.hostname)) return 'Passkeys need a host name in the address, not an IP address.'
  return null
}

/** Asks for any passkey of this site: the answer, to be sent along. */
export async function askPasskey(use: 'sign_in' | 'second_step' | 'proof'): Promise<PasskeyResult> {
  const missing = noPasskeys()
  if (missing) return { ok: false, failure: { detail: missing } }
  const challenge = await call(challengePasskey, { body: { use } })
  if (!challenge.ok) return challenge
  return answered(() => navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(challenge.data as never) }))
}

/** Makes a passkey by the options of `startPasskey`. */
export const makePasskey = (options: Options): Promise<PasskeyResult> =>
  answered(() => navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options as never) }))

async function answered(ask: () => Promise<Credential | null>): Promise<PasskeyResult> {
  try {
    const credential = await ask()
    return credential ? { ok: true, answer: JSON.stringify(credential) } : { ok: false, failure: { detail: cancelled } }
  } catch (thrown) {
    return { ok: false, failure: { detail: wordsOf(thrown as DOMException) } }
  }
}

const cancelled = 'No passkey was used. Try again, or use another way.'
const wordsOf = ({ name }: DOMException) =>
  name === 'InvalidStateError'
    ? 'This device has a passkey for your account already.'
    : name === 'SecurityError'
      ? 'Passkeys do not work at this address.'
      : cancelled

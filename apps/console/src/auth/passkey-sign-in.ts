import { passSecondStep, signInWithPasskey } from '@masthead/contract/auth/step-operations'
import { call } from '../api/client.ts'
import type { Said } from '../ui/FailureNotice.tsx'
import { askPasskey } from './passkey-browser.ts'

/** Signs in with a passkey alone. Null when it is done, else why not. */
export async function signInByPasskey(): Promise<Said | null> {
  const asked = await askPasskey('sign_in')
  if (!asked.ok) return asked.failure
  const result = await call(signInWithPasskey, { body: { passkey: asked.answer } })
  return result.ok ? null : result.failure
}

/** Finishes a sign-in with a passkey. Null when it is done, else why not. */
export async function passByPasskey(): Promise<Said | null> {
  const asked = await askPasskey('second_step')
  if (!asked.ok) return asked.failure
  const result = await call(passSecondStep, { body: { passkey: asked.answer } })
  return result.ok ? null : result.failure
}

import { Notice } from '../ui/Notice.tsx'
import { useAccount } from './use-account.ts'

/** spec §4, word for word. Part of the shell, so the terminal's window does not have it. */
export function Suspension() {
  if (!useAccount()?.suspended) return null
  return (
    <Notice tone="warn" strip>
      Your account is suspended. Please add a valid payment method and credits to your account.
    </Notice>
  )
}

import { isPermission, isStaffPermission, permissions, staffPermissions } from '@masthead/contract/kernel/permission'
import type { Operation } from '@masthead/contract/kernel/operation'
import { Terminal } from 'lucide-react'
import { useClosed } from '../api/closed.ts'
import { lacking } from '../api/may.ts'
import { useSession } from '../api/session.ts'
import { Button } from '../ui/Button.tsx'
import { otherAnswer } from '../ui/other-answer.ts'

// Every question of the console can be answered so: this file is loaded with whatever may ask one.
Object.assign(otherAnswer, {
  label: 'Copy as curl',
  icon: Terminal,
  instead: (act: () => void) => void import('./copy-as-curl.ts').then(({ copyAsCurl }) => copyAsCurl(act)),
} satisfies typeof otherAnswer)

const closedWords = 'The account is closed. Reopen it on the profile first'

type Called = Pick<Operation, 'access'> & Partial<Pick<Operation, 'method'>>

/** Why one may not call an operation, in words; null when one may. Without its method it is one that changes something. */
export function useDenied(): (operation: Called) => string | null {
  const user = useSession((session) => session.user)
  const closed = useClosed()
  return (operation) => {
    const lacked = lacking(user, operation)
    if (lacked === null) return closed && isPermission(operation.access) && operation.method !== 'GET' ? closedWords : null
    return `You need the permission “${isStaffPermission(lacked) ? staffPermissions[lacked] : permissions[lacked]}” for this`
  }
}

/** A button that leads to `operation`: disabled with the reason when one may not call it, or when it cannot be called now (`disabled`). */
export function ActionButton({ operation, disabled, ...rest }: Parameters<typeof Button>[0] & { operation: Called }) {
  const denied = useDenied()
  return <Button {...rest} disabled={denied(operation) ?? disabled ?? null} />
}

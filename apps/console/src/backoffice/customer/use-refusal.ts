import type { CustomerDetails } from '@masthead/contract/backoffice/account-operations'
import { whyNotOnAccount } from '@masthead/contract/backoffice/staff-rules'
import { useSession } from '../../api/session.ts'

/** Why whoever is signed in may not change this account, in words; null: they may. */
export function useRefusal({ email, staff_permissions, for_others }: CustomerDetails): string | null {
  const user = useSession((session) => session.user)
  return whyNotOnAccount(user, { email, permissions: staff_permissions, for_others })
}

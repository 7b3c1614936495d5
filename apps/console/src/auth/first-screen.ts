import type { UserInfo } from '@masthead/contract/auth/user-info'
import { isStaff } from '@masthead/contract/kernel/permission'
import { getOverview } from '@masthead/contract/overview/operations'
import { q, queries } from '../api/query.ts'

/**
 * Where one begins who signed in without an address in mind: staff whose own account has no assets in the backoffice, everybody else on the
 * overview, whose answer is then there already.
 */
export async function firstScreen({ permissions, acting_as }: UserInfo): Promise<string> {
  if (acting_as !== null || !isStaff(permissions)) return '/'
  const overview = await queries.fetchQuery(q(getOverview, { query: { range: 'month' } })).catch(() => null)
  return overview?.assets.total === 0 ? '/masa' : '/'
}

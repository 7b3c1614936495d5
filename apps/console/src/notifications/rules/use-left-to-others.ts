import { useQuery } from '@tanstack/react-query'
import { ruleNeedsAllAssets } from '@masthead/contract/notifications/problems'
import { listRules } from '@masthead/contract/notifications/rule-operations'
import { q } from '../../api/query.ts'
import { useMay } from '../../api/session.ts'

/** Why one leaves it to others to change rules, whatever one's permissions are; null: one does not. */
export function useLeftToOthers(): string | null {
  const { data } = useQuery({ ...q(listRules, {}), enabled: useMay(listRules) })
  return data?.sees_all === false ? ruleNeedsAllAssets.title : null
}

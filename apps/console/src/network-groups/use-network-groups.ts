import { useQuery } from '@tanstack/react-query'
import { listNetworkGroups } from '@masthead/contract/network-groups/operations'
import { q } from '../api/query.ts'
import { useDenied } from '../kit/ActionButton.tsx'

/** The groups of the account; undefined while they load, and for who may not see them. */
export function useNetworkGroups() {
  const denied = useDenied()(listNetworkGroups)
  return useQuery({ ...q(listNetworkGroups, {}), enabled: denied === null, retry: false }).data?.items
}

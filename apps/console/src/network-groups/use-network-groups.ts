import { useQuery } from '@tanstack/react-query'
import { listNetworkGroups } from '@masthead/contract/network-groups/operations'
import { q } from '../api/query.ts'
import { useDenied } from '../kit/ActionButton.tsx'

/** The groups of the account; undefined while they load, for who may not see them, and where they are not `wanted` yet. */
export function useNetworkGroups(wanted = true) {
  const denied = useDenied()(listNetworkGroups)
  return useQuery({ ...q(listNetworkGroups, {}), enabled: wanted && denied === null, retry: false }).data?.items
}

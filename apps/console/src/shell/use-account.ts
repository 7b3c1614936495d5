import { useQuery } from '@tanstack/react-query'
import { getAccount } from '@masthead/contract/account/operations'
import { q } from '../api/query.ts'

/** The account being acted on. Asked for once after sign-in (spec §4), and again when an event says that it changed. */
export const useAccount = () => useQuery({ ...q(getAccount, {}), staleTime: Infinity }).data

import { useQuery } from '@tanstack/react-query'
import { getAccount } from '@masthead/contract/account/operations'
import { q } from './query.ts'

/** Whether the account being acted on is closed, as the shell knows: it asks for the account. Without a shell nothing is known to be closed. */
export const useClosed = (): boolean => useQuery({ ...q(getAccount, {}), enabled: false }).data?.erase_at !== undefined

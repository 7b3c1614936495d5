import { useQuery } from '@tanstack/react-query'
import { getSetup } from '@masthead/contract/auth/operations'
import { q } from '../api/query.ts'

/** Addresses of the installation's own pages; a null one means a page of ours. They change only with a restart. */
export const useLinks = () => useQuery({ ...q(getSetup, {}), staleTime: Infinity }).data?.links

import { useQuery } from '@tanstack/react-query'
import { listTags } from '@masthead/contract/tags/operations'
import { q } from '../api/query.ts'

/** The account's tags by name, as far as one may see them; undefined until they are known. `enabled`: whether they are needed yet. */
export const useTags = (enabled = true) => useQuery({ ...q(listTags, {}), enabled }).data?.items

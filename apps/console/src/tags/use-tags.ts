import { useQuery } from '@tanstack/react-query'
import { listTags } from '@masthead/contract/tags/operations'
import { q } from '../api/query.ts'

/** The account's tags by name, as far as one may see them; undefined until they are known. */
export const useTags = () => useQuery(q(listTags, {})).data?.items

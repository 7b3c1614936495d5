import type { Operation } from '@masthead/contract/kernel/operation'
import { poolClosedWords, type DataPool } from '@masthead/contract/datapools/pool'
import { useDenied } from '../kit/ActionButton.tsx'

/** Why one may not change what a pool is; null when one may. */
export const usePoolClosed = (operation: Pick<Operation, 'access'>, { state, limited }: DataPool): string | null =>
  useDenied()(operation) ?? (state === 'ended' ? 'This data pool has ended' : poolClosedWords(limited))

import { record } from '../../kernel/record.ts'
import { bothWays } from '../../usage/index.ts'
import { periodOf } from '../sim-row.ts'
import { tagAssets } from '../../tags/change-tags.ts'
export const x = [record, bothWays, periodOf, tagAssets]

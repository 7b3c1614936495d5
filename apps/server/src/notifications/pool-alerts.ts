import {
  poolEnded,
  poolEndedByStaff,
  poolExhausted,
  poolRefilled,
  poolRenewed,
  poolThresholdReached,
  poolUnpaid,
  poolUsedUp,
} from '@masthead/contract/datapools/events'
import { overageWords } from '@masthead/contract/datapools/pool'
import { readingPermissions } from '@masthead/contract/event-reading'
import { formatBytes } from '@masthead/contract/usage/bytes'
import type { HappenedEvent } from '../kernel/jobs/effects.ts'
import type { Meaning } from './alert-rules.ts'
import type { Cause } from './raise-alert.ts'

const about = { source: 'policy', lasting: true, permission: readingPermissions.datapools } as const
type About = { pool_id: string; pool_name: string }
const raised = ({ pool_id }: About, alert: Pick<Cause, 'severity' | 'title' | 'words'>): Meaning => ({
  raise: { ...about, ...alert, cause: `pool:${pool_id}`, link: `/datapools?pool=${pool_id}` },
})

const ends: Readonly<Record<string, string>> = {
  [poolRefilled.name]: 'The pool gives data again',
  [poolRenewed.name]: 'The pool was renewed',
  [poolEnded.name]: 'The pool has ended',
  [poolEndedByStaff.name]: 'The pool has ended',
}

/** A pool that comes near its end, is used up, or gives data again. One alert for each pool: what comes later is worse. */
export function poolMeaning({ name, detail }: HappenedEvent): Meaning | null {
  if (name === poolThresholdReached.name) {
    const pool = poolThresholdReached.detail.parse(detail)
    return raised(pool, {
      severity: 'warn',
      title: `The data pool ${pool.pool_name} has used ${pool.percent} %`,
      words: `It has ${formatBytes(pool.size_bytes)} in this term.`,
    })
  }
  if (name === poolUsedUp.name) {
    const pool = poolUsedUp.detail.parse(detail)
    return raised(pool, {
      severity: 'warn',
      title: `The data pool ${pool.pool_name} is used up`,
      words: `After it: ${overageWords(pool)}.`,
    })
  }
  if (name === poolExhausted.name) {
    const pool = poolExhausted.detail.parse(detail)
    return raised(pool, {
      severity: 'critical',
      title: `The data pool ${pool.pool_name} gives no more data`,
      words:
        'Its SIMs have no service, unless another pool of theirs has data. More data, another choice under “After the pool”, or its next term brings their service back.',
    })
  }
  if (name === poolUnpaid.name) {
    const pool = poolUnpaid.detail.parse(detail)
    return raised(pool, {
      severity: 'critical',
      title: `The data pool ${pool.pool_name} was not renewed`,
      words: 'The balance does not cover its next term, so it has ended. Add credits and buy the package again.',
    })
  }
  const words = ends[name]
  return words === undefined ? null : { resolve: `pool:${(detail as About).pool_id}`, words }
}

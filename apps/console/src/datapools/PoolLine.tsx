import type { DataPool } from '@masthead/contract/datapools/pool'
import { StateShape } from '../ui/StateShape.tsx'
import { poolLook, poolSentence } from './pool-words.ts'

/** What is to be known of a pool now, in a line. */
export function PoolLine({ pool }: { pool: DataPool }) {
  const { shape, tone } = poolLook(pool)
  const { first, next } = poolSentence(pool)
  return (
    <p className="flex gap-2 text-pretty">
      <span className="mt-1">
        <StateShape shape={shape === 'disc' ? 'done' : shape} tone={tone} />
      </span>
      <span>
        <b className="font-medium">{first}</b> {next}
      </span>
    </p>
  )
}

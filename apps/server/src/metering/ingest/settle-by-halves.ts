import { nameOf } from '../batch-sessions.ts'
import type { Reading } from '../reading.ts'

type Settling<Each> = {
  /** Resolves with the error where the database refuses something in it. */
  settle: (part: readonly Each[]) => Promise<Error | null>
  /** For the one that it refuses. */
  refuse: (each: Each, error: Error) => Promise<void>
}

/**
 * Settles a batch in which there may be readings that the database refuses, which must not hold up the others: its halves are tried in turn, and
 * then theirs, so that what is refused comes last. What is of one session stays in its order.
 */
export async function settleByHalves<Each extends { reading: Reading }>(
  batch: readonly Each[],
  { settle, refuse }: Settling<Each>
): Promise<void> {
  const error = await settle(batch)
  if (!error) return
  if (batch.length === 1) return refuse(batch[0]!, error)
  const parts = halvesOf([...Map.groupBy(batch, ({ reading }) => nameOf(reading)).values()])
  for (const part of parts) {
    const isOne = part.length === 1
    for (const each of isOne ? part[0]!.map((one) => [one]) : [part.flat()]) {
      const refusal = await settle(each)
      if (refusal && isOne) await refuse(each[0]!, refusal)
      else if (refusal) parts.push(...halvesOf(part))
    }
  }
}

const halvesOf = <T>(all: readonly T[]): T[][] =>
  [all.slice(0, all.length >> 1), all.slice(all.length >> 1)].filter((half) => half.length > 0)

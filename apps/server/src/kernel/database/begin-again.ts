import { Problem, unavailable } from '@masthead/contract/kernel/problem'
import type { Tx } from '../app.ts'

const mostTimes = 10

/**
 * Thrown in a transaction that cannot go on beside another one: it is undone and begun again, after `wait` has been done in a transaction of its
 * own, which holds nothing that others may wait for. After ten times it is a 503.
 */
export class BeginAgain extends Problem {
  readonly wait: (tx: Tx) => Promise<void>

  constructor(wait: (tx: Tx) => Promise<void>) {
    super(unavailable, 'Somebody else changed the same at once, try again', { retryAfter: 1 })
    this.wait = wait
  }
}

/** Does work in a transaction that `begin` opens, again where it says so. */
export async function withBeginAgain<Answer>(
  begin: <Of>(work: (tx: Tx) => Promise<Of>) => Promise<Of>,
  work: (tx: Tx) => Promise<Answer>
): Promise<Answer> {
  for (let times = 1; ; times++) {
    try {
      return await begin(work)
    } catch (error) {
      if (!(error instanceof BeginAgain) || times === mostTimes) throw error
      await begin(error.wait)
    }
  }
}

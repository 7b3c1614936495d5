import type { BatchChanges } from '../batch-changes.ts'
import type { Tx } from '../../kernel/app.ts'
import { type Fragment, type NamedStatement, type Values, fragment, joined, named } from './fragment.ts'

/**
 * What a statement finds. `stale`: a session, written or only read, or a SIM is no longer what it was taken to be, so that the batch is made anew;
 * both ids are null. `at_limit`, `unserved`: a SIM that reached its limit, or has no service. `pooled`: one of those that draw from data pools. `billed`: an account that pays by a tariff. `testing`: a SIM that may use some data for free before it is active.
 */
export type Answer = [about: 'stale' | 'at_limit' | 'unserved' | 'pooled' | 'billed' | 'testing', account_id: string, id: string]

/** A share of a statement. */
export type Share = {
  /** What it writes, or looks up for those after it, by the name that they know it by. */
  with?: Readonly<Record<string, Fragment>>
  /** Each selects rows of an answer. */
  answers?: readonly Fragment[]
}

export type Ask = { statement: NamedStatement; values: Values }

/** One concern of a batch: its share of the one statement that most batches are, and what follows from the answers. */
export type Part = {
  share?: Share
  /** The values of its share, and statements for what few batches bring, which come before that one. */
  gather?: (changes: BatchChanges) => { values: Values; before?: readonly Ask[] }
  /** In the same transaction, once all statements are answered. */
  after?: (changes: BatchChanges, answers: readonly Answer[], tx: Tx) => Promise<void>
}

/** One statement of several shares, in their order. */
export function composed(name: string, shares: readonly (Share | undefined)[]): NamedStatement {
  const tables = shares.flatMap((share) => Object.entries(share?.with ?? {}))
  const answers = shares.flatMap((share) => share?.answers ?? [])
  const common = tables.map(([table, sql]) => fragment`${table} as (${sql})`)
  return named(name, fragment`with ${joined(common, ', ')} ${joined(answers, ' union all ')}`)
}

import { sql } from 'kysely'
import type { Actor, Tx } from '../kernel/app.ts'

/** Whoever moves SIMs into data pools or out of them, also by tags, does so one after the other, and has the pools' locks before those of SIMs and stock. */
export const lockPools = (tx: Tx, { account_id }: Pick<Actor, 'account_id'>) => sql`select lock_pools(${account_id})`.execute(tx)

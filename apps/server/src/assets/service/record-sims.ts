import type { EventKind } from '@masthead/contract/kernel/event'
import type * as z from 'zod/mini'
import { type Tx, systemActor } from '../../kernel/app.ts'
import { record, recordMany } from '../../kernel/record.ts'
import type { NamedSim } from './sims.ts'

/** An event of Masthead's own for each of some SIMs, of whatever accounts. */
export async function recordSims<Detail extends z.ZodMiniType>(
  tx: Tx,
  at: Date,
  kind: EventKind<Detail>,
  sims: readonly (NamedSim & z.output<Detail>)[]
): Promise<void> {
  for (const [account_id, own] of Map.groupBy(sims, (sim) => sim.account_id)) {
    const actor = systemActor(account_id, at)
    await (own.length === 1 ? record(tx, actor, kind, own[0]!) : recordMany(tx, actor, kind, own))
  }
}

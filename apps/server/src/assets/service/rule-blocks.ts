import { simBlocked, simUnblocked } from '@masthead/contract/assets/events'
import type { SimBlock } from '@masthead/contract/assets/sim'
import type { Actor, Tx } from '../../kernel/app.ts'
import { recordMany } from '../../kernel/record.ts'
import { addBlocks, clearBlocks } from './set-blocks.ts'

const code = 'rule'

/** Blocks locked SIMs as an alert rule says, and cuts what they have open. One that a rule blocks already stays as it is. */
export async function blockByRule(
  tx: Tx,
  actor: Actor,
  sim_ids: readonly string[],
  { why: words = 'An alert rule fired', rule_id }: { why?: string; rule_id?: string }
): Promise<void> {
  if (sim_ids.length === 0) return
  const { account_id, at, email: by } = actor
  const clears = 'When that is taken back in the history of the rule, or when somebody activates the SIM'
  const block: SimBlock = { code, since: at.toISOString(), by, words, clears, ...(rule_id !== undefined && { rule_id }) }
  const blocked = await addBlocks(
    tx,
    sim_ids.map((sim_id) => ({ account_id, sim_id, block }))
  )
  await recordMany(
    tx,
    actor,
    simBlocked,
    blocked.map((sim) => ({ ...sim, code, words }))
  )
}

/** Takes what alert rules hold against locked SIMs off them, as when somebody activates or deactivates them: they have them in hand. */
export async function unblockOfRules(tx: Tx, actor: Actor, sim_ids: readonly string[]): Promise<void> {
  if (sim_ids.length === 0) return
  const { account_id } = actor
  const cleared = await clearBlocks(
    tx,
    sim_ids.map((sim_id) => ({ account_id, sim_id })),
    code
  )
  await recordMany(
    tx,
    actor,
    simUnblocked,
    cleared.map((sim) => ({ ...sim, code }))
  )
}

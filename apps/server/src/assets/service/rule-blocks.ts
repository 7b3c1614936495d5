import { simBlocked, simUnblocked } from '@masthead/contract/assets/events'
import type { SimBlock } from '@masthead/contract/assets/sim'
import { blocksChanged } from '@masthead/contract/signals'
import type { Actor, Tx } from '../../kernel/app.ts'
import { publish } from '../../kernel/live/publish.ts'
import { recordMany } from '../../kernel/record.ts'
import { addBlocks, clearBlocks, restateBlocks } from './set-blocks.ts'
import type { SimOf } from './sims.ts'

const code = 'rule'

/** Which rule it is, in words and by its id; blocks of before do not say. */
type OfRule = { why?: string; rule_id?: string }
const anyRule = 'An alert rule fired'

/** Blocks locked SIMs as an alert rule says, and cuts what they have open. One that a rule blocks already stays as it is. */
export async function blockByRule(
  tx: Tx,
  actor: Actor,
  sim_ids: readonly string[],
  { why: words = anyRule, rule_id }: OfRule
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

/** The block that an alert rule holds against a locked SIM is another one's from now on, and says so. */
export async function takeOverBlock(tx: Tx, sim: SimOf, { why: words = anyRule, rule_id }: OfRule): Promise<void> {
  await restateBlocks(tx, [sim], code, { words, ...(rule_id !== undefined && { rule_id }) })
  await publish(tx, sim.account_id, blocksChanged)
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

import { blockTakenOver, simBlocked, simUnblocked } from '@masthead/contract/assets/events'
import type { SimBlock } from '@masthead/contract/assets/sim'
import { blocksChanged } from '@masthead/contract/signals'
import type { Actor, App, Tx } from '../../kernel/app.ts'
import { publish } from '../../kernel/live/publish.ts'
import { recordMany } from '../../kernel/record.ts'
import { addBlocks, clearBlocks, restateBlocks, restateRule } from './set-blocks.ts'
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
export async function takeOverBlock(
  tx: Tx,
  actor: Actor,
  { account_id, sim_id }: SimOf,
  { why: words = anyRule, rule_id }: OfRule
): Promise<void> {
  const { blocks } = await tx
    .selectFrom('sim')
    .select('blocks')
    .where('account_id', '=', account_id)
    .where('id', '=', sim_id)
    .executeTakeFirstOrThrow()
  const before = blocks.find((block) => block.code === code)
  // The rule has just put it on.
  if (!before || (before.rule_id === rule_id && before.words === words)) return
  const taken = await restateBlocks(tx, [{ account_id, sim_id }], code, { words, ...(rule_id !== undefined && { rule_id }) })
  await recordMany(
    tx,
    actor,
    blockTakenOver,
    taken.map((sim) => ({ ...sim, code, words, old_words: before.words }))
  )
}

const restatedAtOnce = 500

/** Has the blocks of a rule that was renamed say it, some SIMs at a time. May be repeated. */
export async function restateBlocksOf(
  { db }: App,
  { account_id, ...said }: { account_id: string; rule_id: string; words: string }
): Promise<void> {
  const some = () =>
    db.transaction().execute(async (tx) => {
      const restated = await restateRule(tx, account_id, said, restatedAtOnce)
      if (restated.length > 0) await publish(tx, account_id, blocksChanged)
      return restated.length
    })
  while ((await some()) === restatedAtOnce);
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

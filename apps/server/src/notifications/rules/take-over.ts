import type { grantWishes, Wish } from '../../assets/bulk/index.ts'
import { takeOverBlock } from '../../assets/service/index.ts'
import { systemActor, type Tx } from '../../kernel/app.ts'
import { settle, type FiringRow, type Kept } from './firing-rows.ts'

type Granted = Awaited<ReturnType<typeof grantWishes>>[number]
/** What one rule's action sets of a SIM, and another's may hold. */
const aspects = ['state', 'blocked', 'limit', 'imei_lock', 'network_group'] as const

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/**
 * What a firing did to its SIM, where the action of another one that is to be taken back stands on it: the one that holds longer keeps the SIM. It brings back what was
 * before both, and the other is not taken back any more. So none undoes what another wants still, and none leaves what another did. `until`: when it is taken
 * back; null: never. A block that stands names the rule that holds it.
 */
export async function takeOver(
  tx: Tx,
  firing: FiringRow,
  { wish, granted, until, at }: { wish: Wish; granted: Granted; until: Date | null; at: Date }
): Promise<Granted> {
  const aspect = aspects.find((one) => wish[one] !== undefined)
  if (!aspect || (granted.outcome !== 'already' && granted.did?.[aspect] === undefined)) return granted
  const { account_id, id, sim_id } = firing
  // Not waited for: who takes one back has it locked and waits for the SIM, so that this is tried again.
  const standing = await tx
    .selectFrom('alert_rule_firing')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('sim_id', '=', sim_id)
    .where('id', '<>', id)
    .where('undo_at', 'is not', null)
    .orderBy('acted_at', 'desc')
    .orderBy('id', 'desc')
    .forUpdate()
    .noWait()
    .execute()
  let taken = granted
  let isChanged = false
  for (const other of standing) {
    const { did, before } = other.before as Kept
    if (did?.[aspect] === undefined || !before) continue
    const found = taken.outcome === 'already' ? wish[aspect] : taken.before?.[aspect]
    // Somebody changed the SIM in between: what was before that is nothing to come back to. Taken back all the same, it would end what is done now.
    isChanged ||= !isSame(did[aspect], found)
    if (isChanged) {
      await settle(tx, other, { undo_at: null, undo_left: 'changed_since' })
      continue
    }
    const isLonger = until === null || (taken.outcome === 'already' ? until > other.undo_at! : until >= other.undo_at!)
    if (!isLonger) break
    taken =
      taken.outcome === 'already'
        ? { outcome: 'changed', did: { ...did, ...wish }, before }
        : { ...taken, before: { ...taken.before, ...before } }
    await settle(tx, other, { undo_at: null, undo_left: 'held' })
  }
  if (wish.blocked && taken !== granted) await takeOverBlock(tx, systemActor(account_id, at), { account_id, sim_id: sim_id! }, wish)
  return taken
}

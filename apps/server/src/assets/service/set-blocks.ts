import { sql, type RawBuilder } from 'kysely'
import type { BlockCode, SimBlock } from '@masthead/contract/assets/sim'
import type { Tx } from '../../kernel/app.ts'
import { reconcileLater } from './reconcile.ts'
import type { NamedSim, SimOf } from './sims.ts'

/** The SIMs of an account, or of one of its assets: those that a decision about it concerns. */
export type Scope = { account_id: string; asset_id?: string }

/**
 * Puts its block on each SIM that has none of its code: one statement, however many they are (at most some thousand), and one job that cuts
 * what they have open. Answers with those it was put on; whoever set it records why.
 */
export function addBlocks(tx: Tx, sims: readonly (SimOf & { block: SimBlock })[]): Promise<NamedSim[]> {
  return add(
    tx,
    sql`select sim.account_id, sim.id, given.block
      from jsonb_to_recordset(${JSON.stringify(sims)}::jsonb) as given (account_id text, sim_id text, block jsonb)
      join sim on sim.account_id = given.account_id and sim.id = given.sim_id
      where not sim.blocks @> jsonb_build_array(jsonb_build_object('code', given.block -> 'code')) order by 1, 2`
  )
}

/** Puts one block on SIMs of a scope that have none of its code, on at most so many: fewer in the answer says that all have it. */
export function blockScope(tx: Tx, scope: Scope, block: SimBlock, most: number): Promise<NamedSim[]> {
  return add(
    tx,
    sql`select account_id, id, ${JSON.stringify(block)}::jsonb as block from sim
      where ${within(scope)} and not ${has(block.code)} and state <> 'terminated' order by 1, 2 limit ${most}`
  )
}

/** Takes the block of a code off SIMs. What else is held against them stays. Answers with those that had it. */
export function clearBlocks(tx: Tx, sims: readonly SimOf[], code: BlockCode): Promise<NamedSim[]> {
  return clear(tx, code, having(sims, code))
}

type Said = Pick<SimBlock, 'words' | 'rule_id'>

/** What the block of a code says on SIMs that have it is another thing from now on; it stands since when it stood. Answers with those that have it. */
export const restateBlocks = (tx: Tx, sims: readonly SimOf[], code: BlockCode, said: Said): Promise<NamedSim[]> =>
  restate(tx, code, said, having(sims, code))

/** What the block of a rule says on SIMs of an account, on at most so many: fewer in the answer says that all say it. */
export const restateRule = (tx: Tx, account_id: string, { rule_id, words }: Required<Said>, most: number): Promise<NamedSim[]> =>
  restate(
    tx,
    'rule',
    { words },
    sql`select account_id, id from sim where account_id = ${account_id} and blocks <> '[]' and ${holds({ code: 'rule', rule_id })}
      and not ${holds({ code: 'rule', rule_id, words })} order by 1, 2 limit ${most}`
  )

const restate = (tx: Tx, code: BlockCode, said: Partial<Said>, found: RawBuilder<unknown>) =>
  change(
    tx,
    found,
    sql`(select jsonb_agg(case when block ->> 'code' = ${code} then block || ${JSON.stringify(said)}::jsonb else block end order by place)
      from jsonb_array_elements(sim.blocks) with ordinality as own (block, place))`
  )

/** Takes the block of a code off SIMs of a scope, off at most so many: fewer in the answer says that none has it any more. */
export function clearScope(tx: Tx, scope: Scope, code: BlockCode, most: number): Promise<NamedSim[]> {
  return clear(
    tx,
    code,
    sql`select account_id, id from sim where ${within(scope)} and blocks <> '[]' and ${has(code)} order by 1, 2 limit ${most}`
  )
}

const within = ({ account_id, asset_id }: Scope) =>
  sql`account_id = ${account_id} ${asset_id === undefined ? sql`` : sql`and asset_id = ${asset_id}`}`
const holds = (block: Partial<SimBlock>) => sql`sim.blocks @> ${JSON.stringify([block])}::jsonb`
const has = (code: BlockCode) => holds({ code })

const having = (sims: readonly SimOf[], code: BlockCode) =>
  sql`select sim.account_id, sim.id from jsonb_to_recordset(${JSON.stringify(sims)}::jsonb) as given (account_id text, sim_id text)
    join sim on sim.account_id = given.account_id and sim.id = given.sim_id where ${has(code)} order by 1, 2`

async function add(tx: Tx, found: RawBuilder<unknown>): Promise<NamedSim[]> {
  const changed = await change(tx, found, sql`sim.blocks || found.block`)
  await reconcileLater(tx, changed)
  return changed
}

const clear = (tx: Tx, code: BlockCode, found: RawBuilder<unknown>) =>
  change(
    tx,
    found,
    sql`coalesce((select jsonb_agg(block order by place) from jsonb_array_elements(sim.blocks) with ordinality as own (block, place)
      where block ->> 'code' <> ${code}), '[]')`
  )

/** The SIMs in the order of their keys, and locked so that sessions may begin meanwhile: the meter keeps them where they are. */
async function change(tx: Tx, found: RawBuilder<unknown>, blocks: RawBuilder<unknown>): Promise<NamedSim[]> {
  const { rows } = await sql<NamedSim>`update sim set blocks = ${blocks} from (${found} for no key update of sim) found, asset
    where sim.account_id = found.account_id and sim.id = found.id and asset.account_id = sim.account_id and asset.id = sim.asset_id
    returning sim.account_id, sim.id as sim_id, sim.iccid, sim.asset_id, asset.name as asset_name`.execute(tx)
  return rows
}

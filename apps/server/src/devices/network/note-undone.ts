import { networkUndone } from '@masthead/contract/devices/network/events'
import { NetworkChange } from '@masthead/contract/devices/network/reported'
import type { Reported } from '@masthead/contract/devices/device'
import { sql } from 'kysely'
import { type AppDb, systemActor } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'

type Row = { account_id: string; device_id: string; seen_at: Date; reported: Reported | null }

/** Records once that a device undid what is wanted of its network. It says so in each report: what fails here is recorded by the next. */
export async function noteUndone(db: AppDb, rows: readonly Row[]): Promise<void> {
  const undone = rows.flatMap(({ account_id, device_id, seen_at, reported }) => {
    const change = NetworkChange.safeParse(reported?.network?.change).data
    return change?.state === 'undone' ? [{ account_id, device_id, seen_at, ...change }] : []
  })
  if (undone.length === 0) return
  await db.transaction().execute(async (tx) => {
    const { rows: noted } = await sql<{ account_id: string; asset_id: string; asset_name: string; device_id: string }>`
      update device_network n set undone_generation = n.generation
      from unnest(${undone.map(({ account_id }) => account_id)}::text[], ${undone.map(({ device_id }) => device_id)}::text[],
        ${undone.map(({ generation }) => generation)}::bigint[]) as said (account_id, device_id, generation)
      join device d on d.account_id = said.account_id and d.id = said.device_id
      join asset a on a.account_id = d.account_id and a.id = d.asset_id
      where n.account_id = d.account_id and n.asset_id = d.asset_id and n.generation = said.generation
        and n.undone_generation is distinct from n.generation
      returning n.account_id, n.asset_id, a.name as asset_name, d.id as device_id`.execute(tx)
    for (const { account_id, asset_id, asset_name, device_id } of noted) {
      const { seen_at, words } = undone.find((each) => each.device_id === device_id)!
      await record(tx, systemActor(account_id, seen_at), networkUndone, { asset_id, asset_name, words: words || 'it did not say why' })
    }
  })
}

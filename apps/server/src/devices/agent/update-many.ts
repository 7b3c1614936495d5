import { agentUpdateAsked } from '@masthead/contract/devices/agent/events'
import { newId } from '@masthead/contract/kernel/id'
import { sql } from 'kysely'
import { anyOf } from '../../assets/index.ts'
import type { Actor, Tx } from '../../kernel/app.ts'

import { recordMany } from '../../kernel/record.ts'
import { sendDirective } from '../send-directive.ts'
import { updateId } from './update-agent.ts'

type Named = { asset_id: string; asset_name: string }

/** Has the agents of these assets (some hundred) update to a version, as `updateAgent` does for one. */
export async function updateAgents(tx: Tx, actor: Actor, assets: readonly Named[], version: string): Promise<void> {
  if (assets.length === 0) return
  const { account_id, at, email } = actor
  const devices = await tx
    .selectFrom('device')
    .select('id')
    .where('account_id', '=', account_id)
    .where('asset_id', '=', anyOf(assets.map(({ asset_id }) => asset_id)))
    .where('kind', '=', 'agent')
    .orderBy('id')
    .execute()
  const [device_ids, ids] = [devices.map(({ id }) => id), devices.map(() => newId(updateId, at.getTime()))]
  await sql`insert into agent_update (account_id, device_id, id, version, asked_by, asked_at)
    select ${account_id}, given.device_id, given.id, ${version}, ${email}, ${at}
    from unnest(${device_ids}::text[], ${ids}::text[]) as given (device_id, id)
    on conflict (account_id, device_id) do update set id = excluded.id, version = excluded.version, asked_by = excluded.asked_by,
      asked_at = excluded.asked_at`.execute(tx)
  await sql`delete from device_directive where account_id = ${account_id} and device_id = any(${device_ids}::text[])
    and payload ->> 'command' = 'look'`.execute(tx)
  for (const device_id of device_ids) await sendDirective(tx, { account_id, device_id, payload: { command: 'look' }, at })
  await recordMany(
    tx,
    actor,
    agentUpdateAsked,
    assets.map(({ asset_id, asset_name }) => ({ asset_id, asset_name, version }))
  )
}

import { sql } from 'kysely'
import { newId } from '@masthead/contract/kernel/id'
import { Problem } from '@masthead/contract/kernel/problem'
import {
  noTerminalDevice,
  terminalNeverConnected,
  terminalOffline,
  terminalSuspended,
  tooManyOwnTerminals,
  tooManyTerminals,
} from '@masthead/contract/terminal/problems'
import { answersWithin, mostOpen, terminalId, type Size, type TerminalSession } from '@masthead/contract/terminal/session'
import { getAssetId } from '../assets/index.ts'
import { sendDirective } from '../devices/index.ts'
import type { Actor, Tx } from '../kernel/app.ts'
import { getTerminal } from './terminal-queries.ts'
import './tables.ts'

/**
 * Asks the device of an asset for a shell. It comes to us by itself; whoever asked then finds it by the id. `support_id`: by which access of
 * support it is opened.
 */
export async function openTerminal(
  tx: Tx,
  actor: Actor,
  key: string,
  { cols, rows }: Size,
  support_id: string | null = null
): Promise<TerminalSession> {
  const { account_id, at } = actor
  const asset_id = await getAssetId(tx, actor, key)
  // Locked, so that two at once do not make one too many.
  const account = await tx
    .selectFrom('account')
    .select('suspended_at')
    .where('id', '=', account_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  if (account.suspended_at) throw new Problem(terminalSuspended)
  const device = await tx
    .selectFrom('device')
    .innerJoin('asset', (join) => join.onRef('asset.account_id', '=', 'device.account_id').onRef('asset.id', '=', 'device.asset_id'))
    .select(['device.id', 'device.kind', 'device.online', 'device.last_birth_at', 'asset.name'])
    .where('device.account_id', '=', account_id)
    .where('device.asset_id', '=', asset_id)
    .where('device.cut_at', 'is', null)
    .executeTakeFirst()
  if (!device) throw new Problem(noTerminalDevice)
  if (!device.online) throw new Problem(device.last_birth_at === null ? terminalNeverConnected : terminalOffline)
  const { rows: open } = await sql<{
    all: number
    own: number
  }>`select count(*)::int "all", count(*) filter (where person_id = ${actor.person_id})::int own
    from terminal_session where account_id = ${account_id} and state <> 'ended'`.execute(tx)
  if (open[0]!.own >= mostOpen.person) throw new Problem(tooManyOwnTerminals)
  if (open[0]!.all >= mostOpen.account) throw new Problem(tooManyTerminals)
  const id = newId(terminalId, at.getTime())
  await tx
    .insertInto('terminal_session')
    .values({
      account_id,
      id,
      asset_id,
      asset_name: device.name,
      device_id: device.id,
      kind: device.kind,
      person_id: actor.person_id,
      opened_by: actor.email,
      client_ip: actor.ip,
      cols,
      rows,
      requested_at: at,
      support_id,
    })
    .execute()
  // A CORE device is sent an offer once a window is there.
  const payload = { command: 'run', data: { id, do: 'terminal', session: id, cols, rows } }
  if (device.kind === 'agent') await sendDirective(tx, { account_id, device_id: device.id, payload, waitsFor: answersWithin, at })
  return getTerminal(tx, actor, id)
}

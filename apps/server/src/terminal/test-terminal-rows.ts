import { newId } from '@masthead/contract/kernel/id'
import { terminalId } from '@masthead/contract/terminal/session'
import type { House, Person } from '@masthead/testkit/house'
import { recordingKey } from './recording/recording-key.ts'

/** A session that has ended with a recording, and one that is open. */
export async function putTerminals(
  house: House,
  { account_id, email }: Person,
  on: { asset_id: string; device_id: string; coded_asset_id?: string }
) {
  const { asset_id, device_id } = on
  const at = house.clock.now()
  const { name: asset_name } = await house.db
    .selectFrom('asset')
    .select('name')
    .where('account_id', '=', account_id)
    .where('id', '=', asset_id)
    .executeTakeFirstOrThrow()
  const base = { account_id, asset_id, asset_name, device_id, kind: 'agent' as const, person_id: 'usr_x', opened_by: email }
  const row = { ...base, client_ip: null, cols: 80, rows: 24, requested_at: at, opened_at: at, held_by: 'test' }
  const [id, open_id] = [newId(terminalId), newId(terminalId)]
  const ended = { state: 'ended' as const, ended_at: at, end_reason: 'ended' as const, recording: 'kept' as const }
  await house.db
    .insertInto('terminal_session')
    .values({ ...row, id, ...ended })
    .execute()
  await house.db
    .insertInto('terminal_session')
    .values({ ...row, id: open_id, state: 'open' })
    .execute()
  await house.db
    .updateTable('device')
    .set({ online: true } as never)
    .where('account_id', '=', account_id)
    .where('id', '=', device_id)
    .execute()
  async function* lines() {
    yield Buffer.from('{"version":2,"width":80,"height":24}\n[0.1,"o","hello"]\n')
  }
  await house.app.blobs.put(recordingKey({ account_id, id }), lines())
  const { coded_asset_id = asset_id } = on
  if (coded_asset_id !== asset_id)
    await house.db
      .insertInto('terminal_code')
      .values({ account_id, asset_id: coded_asset_id, code_hash: 'of a test', set_by: email, set_at: at })
      .execute()
  return { id, open_id, asset_id, coded_asset_id }
}

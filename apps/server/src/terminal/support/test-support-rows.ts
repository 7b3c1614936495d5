import { newId } from '@masthead/contract/kernel/id'
import { terminalId } from '@masthead/contract/terminal/session'
import { supportId } from '@masthead/contract/terminal/support'
import type { House, Person } from '@masthead/testkit/house'

type On = { account_id: string; asset_id: string }

/** What support asked for on a device and waits for, and what they were allowed, with a terminal that was opened by it. */
export async function putSupport(house: House, { account_id, asset_id }: On, staff: Pick<Person, 'email'>) {
  const at = house.clock.now()
  const { id: staff_person_id } = await house.db
    .selectFrom('person')
    .select('id')
    .where('email', '=', staff.email)
    .executeTakeFirstOrThrow()
  const { name: asset_name } = await house.db
    .selectFrom('asset')
    .select('name')
    .where('account_id', '=', account_id)
    .where('id', '=', asset_id)
    .executeTakeFirstOrThrow()
  const row = { account_id, asset_id, asset_name, staff_email: staff.email, reason: 'A ticket', minutes: 60, asked_at: at }
  const until = new Date(at.getTime() + 86_400_000)
  const [asked_id, allowed_id] = [newId(supportId), newId(supportId)]
  await house.db
    .insertInto('support_access')
    // Somebody else of support: one has one request for a device.
    .values({ ...row, id: asked_id, staff_person_id: 'usr_other', state: 'asked', until })
    .execute()
  await house.db
    .insertInto('support_access')
    .values({ ...row, id: allowed_id, staff_person_id, state: 'allowed', allowed_at: at, allowed_by: 'owner@example.test', until })
    .execute()
  const terminal_id = newId(terminalId)
  const size = { cols: 80, rows: 24 }
  const session = { account_id, id: terminal_id, asset_id, asset_name, device_id: 'dev_any', kind: 'agent' as const, ...size }
  await house.db
    .insertInto('terminal_session')
    .values({ ...session, person_id: staff_person_id, opened_by: staff.email, client_ip: null, requested_at: at, support_id: allowed_id })
    .execute()
  return { asked_id, allowed_id, terminal_id }
}

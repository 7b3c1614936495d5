import { preferenceChanged } from '@masthead/contract/notifications/events'
import type { Preference } from '@masthead/contract/notifications/preference'
import type { Actor, Db, Tx } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { clockTime, minutesOf } from './quiet-hours.ts'

/** Of one who has never said. */
const defaults: Omit<Preference, 'timezone'> = {
  in_app: ['info', 'warn', 'critical'],
  mail: ['warn', 'critical'],
  webhook: [],
  muted: [],
  quiet_from: null,
  quiet_to: null,
  daily_at: null,
  urgent: true,
  cooldown_minutes: 60,
}

/** What several people want to be notified of an account, by their ids: each has an answer. Their time zone is that of their own account until they say another. */
export async function listPreferences(db: Db, account_id: string, person_ids: readonly string[]): Promise<Map<string, Preference>> {
  const rows = await db
    .selectFrom('notification_preference')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('person_id', 'in', [...person_ids, ''])
    .execute()
  const people = await db
    .selectFrom('person')
    .innerJoin('account', 'account.id', 'person.account_id')
    .select(['person.id', 'account.timezone'])
    .where('person.id', 'in', [...person_ids, ''])
    .execute()
  const zoneOf = new Map(people.map(({ id, timezone }) => [id, timezone]))
  const said = new Map(
    rows.map(({ account_id: _, person_id, quiet_from, quiet_to, daily_at, ...row }) => {
      const times = {
        quiet_from: quiet_from === null ? null : clockTime(quiet_from),
        quiet_to: quiet_to === null ? null : clockTime(quiet_to),
        daily_at: daily_at === null ? null : clockTime(daily_at),
      }
      return [person_id, { ...row, ...times, timezone: row.timezone ?? zoneOf.get(person_id) ?? 'UTC' }]
    })
  )
  return new Map(person_ids.map((id) => [id, said.get(id) ?? { ...defaults, timezone: zoneOf.get(id) ?? 'UTC' }]))
}

export const getPreference = async (db: Db, { account_id, person_id }: Pick<Actor, 'account_id' | 'person_id'>): Promise<Preference> =>
  (await listPreferences(db, account_id, [person_id])).get(person_id)!

/** Sets what one wants to be notified of, and how. */
export async function setPreference(tx: Tx, actor: Actor, wanted: Preference): Promise<Preference> {
  const { account_id, person_id } = actor
  const before = await getPreference(tx, actor)
  const { quiet_from, quiet_to, daily_at } = wanted
  const row = {
    ...wanted,
    quiet_from: quiet_from === null ? null : minutesOf(quiet_from),
    quiet_to: quiet_to === null ? null : minutesOf(quiet_to),
    daily_at: daily_at === null ? null : minutesOf(daily_at),
  }
  await tx
    .insertInto('notification_preference')
    .values({ account_id, person_id, ...row })
    .onConflict((conflict) => conflict.columns(['account_id', 'person_id']).doUpdateSet(row))
    .execute()
  const after = await getPreference(tx, actor)
  if (JSON.stringify(before) !== JSON.stringify(after)) await record(tx, actor, preferenceChanged, { before, after })
  return after
}

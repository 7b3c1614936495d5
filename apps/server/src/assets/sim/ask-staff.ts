import { sql } from 'kysely'
import { staffAsked } from '@masthead/contract/assets/events'
import { desiredService } from '@masthead/contract/assets/service'
import { blockCodes, simStates } from '@masthead/contract/assets/sim'
import { takeTry } from '../../auth/index.ts'
import type { Actor, Tx } from '../../kernel/app.ts'
import { consolePlace, queueMail } from '../../kernel/mail/mail.ts'
import { record } from '../../kernel/record.ts'
import { getAssetById } from '../list/asset-rows.ts'

const mostStaff = 50
/** Of an account: nobody's mailbox is filled by us. */
const perHour = 20

/** Writes to support staff about an asset, with all that they would ask for, and into the account's activities. Throws 429. */
export async function askStaff(tx: Tx, actor: Actor, asset_id: string, { message }: { message: string }): Promise<void> {
  const { id, name, serial, sim } = await getAssetById(tx, actor, asset_id)
  await takeTry(tx, actor.at, { key: `questions of ${actor.account_id}`, limit: perHour, seconds: 3600 })
  await record(tx, actor, staffAsked, { asset_id: id, asset_name: name, message })
  const { team_name } = await tx.selectFrom('account').select('team_name').where('id', '=', actor.account_id).executeTakeFirstOrThrow()
  const reasons = sim ? desiredService(sim).reasons : []
  const why = reasons.map(({ code, words }) =>
    code === 'state' ? `- The SIM is ${words.toLowerCase()}` : `- ${blockCodes[code]}: ${words}`
  )
  const text = [
    `${actor.email} asks about ${name}, an asset of ${team_name}:`,
    message,
    [
      `Serial: ${serial}`,
      ...(sim ? [`ICCID: ${sim.iccid}`, `IMSI: ${sim.imsi ?? '–'}`, `IMEI: ${sim.imei ?? '–'}`, `Set to: ${simStates[sim.state]}`] : []),
    ].join('\n'),
    sim ? (why.length > 0 ? `Why it has no service:\n${why.join('\n')}` : 'Nothing is held against its SIM.') : 'It has no SIM.',
    `${consolePlace}/masa/assets/${id}`,
  ].join('\n\n')
  const staff = await tx
    .selectFrom('person')
    .select('email')
    .where(sql<boolean>`'backoffice' = any(permissions)`)
    .orderBy('id')
    .limit(mostStaff)
    .execute()
  for (const { email } of staff) await queueMail(tx, { to: email, subject: `${name}: a question of ${team_name}`, text }, actor.at)
}

import { sql } from 'kysely'
import { staffAsked } from '@masthead/contract/assets/events'
import { desiredService } from '@masthead/contract/assets/service'
import { blockCodes, goesOnWords, simStates, type Sim } from '@masthead/contract/assets/sim'
import { takeTry } from '../../auth/index.ts'
import type { Actor, Tx } from '../../kernel/app.ts'
import { consolePlace, queueMail } from '../../kernel/mail/mail.ts'
import { record } from '../../kernel/record.ts'
import { getAssetById } from '../list/asset-rows.ts'
import { findRefused } from '../network/find-refused.ts'

const mostStaff = 50
/** Of an account: nobody's mailbox is filled by us. */
const perHour = 20

/** Writes to support staff about an asset, with all that they would ask for, and into the account's activities. Throws 429. */
export async function askStaff(tx: Tx, actor: Actor, asset_id: string, { message }: { message: string }): Promise<void> {
  const { id, name, serial, sim } = await getAssetById(tx, actor, asset_id)
  await takeTry(tx, actor.at, { key: `questions of ${actor.account_id}`, limit: perHour, seconds: 3600 })
  await record(tx, actor, staffAsked, { asset_id: id, asset_name: name, message })
  const { team_name } = await tx.selectFrom('account').select('team_name').where('id', '=', actor.account_id).executeTakeFirstOrThrow()
  const why = sim ? await whyNot(tx, actor, asset_id, sim) : []
  const text = [
    `${actor.email} asks about ${name}, an asset of ${team_name}:`,
    message,
    [`Serial: ${serial}`, ...(sim ? factsOf(sim) : [])].join('\n'),
    sim ? (why.length > 0 ? `Why it has no service:\n${why.map((line) => `- ${line}`).join('\n')}` : nothing) : 'It has no SIM.',
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

const nothing = 'Nothing is held against its SIM, and nothing refused it in the last hour.'

function factsOf({ iccid, imsi, imei, state, network_group, data_pool, session }: Sim): string[] {
  return [
    `ICCID: ${iccid}`,
    `IMSI: ${imsi ?? '–'}`,
    `IMEI: ${imei ?? '–'}`,
    `Set to: ${simStates[state]}`,
    `Network group: ${network_group.name}`,
    `Data pool: ${data_pool?.name ?? '–'}`,
    session ? `Session: ${session.acct_session_id} at ${session.gateway}, last reported ${session.updated_at}` : 'Session: none is open',
  ]
}

/** What is held against a SIM, and how it is refused where it is: the reasons of the service path, in its order. */
async function whyNot(tx: Tx, actor: Actor, asset_id: string, sim: Sim): Promise<string[]> {
  const held = desiredService(sim).reasons.map(({ code, words }) =>
    code === 'state' ? `The SIM is ${words.toLowerCase()}` : `${blockCodes[code]}: ${words}`
  )
  const { session } = sim
  if (session?.forbidden) held.push(`Its session is cut: ${session.forbidden}`)
  const goesOn = session && held.length > 0 ? goesOnWords(session) : null
  if (goesOn) held.push(`Its session goes on, as ${goesOn}: ${session!.disconnect!.words}`)
  const refused = await findRefused(tx, actor, asset_id, sim)
  if (!refused) return held
  const { by, count, last_at, words } = refused
  const who = by === 'network' ? 'The operator refused access' : 'Access was rejected'
  return [...held, `${who} ${count === 1 ? 'once' : `${count} times`}, last at ${last_at}${words === null ? '' : `: ${words}`}`]
}

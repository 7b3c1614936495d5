import { iccidForms, parseIccid } from '@masthead/contract/assets/iccid'
import { sameTokenDays, type RefusalCode } from '@masthead/contract/core/enrolment'
import { deviceEnrolled, deviceTokenRenewed } from '@masthead/contract/core/events'
import { refusal } from '@masthead/contract/core/problems'
import { Problem } from '@masthead/contract/kernel/problem'
import { sql } from 'kysely'
import { enrolDevice as makeLogin, findCoreToken, isCut } from '../../devices/index.ts'
import { systemActor, type Actor, type Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { lockDeployment, refusesAll, refusesNew, type FoundToken, type LockedDeployment } from './find-deployment.ts'
import { reachedBy, takeSim } from './take-sim.ts'

/** Who asks: a device, of which no more is known than its SIM. */
export type Asker = { iccid: string; at: Date; ip: string; request_id: string }

const deviceActor = ({ account_id }: FoundToken, { at, ip, request_id }: Asker): Actor => ({
  ...systemActor(account_id, at),
  kind: 'device',
  email: 'CORE device',
  ip,
  request_id,
})

const refuse = (code: RefusalCode) => new Problem(refusal(code))

/**
 * Makes the asset of a device that asks with a deployment's token, and what the device signs in with. The answer may be lost on its way, and the device then asks
 * again: soon after it gets the same, later something new in its place. Throws what it is refused for; nothing has changed then.
 */
export async function enrolDevice(tx: Tx, token: FoundToken, asker: Asker): Promise<{ device_token: string; isNew: boolean }> {
  const { at } = asker
  const actor = deviceActor(token, asker)
  const deployment = await lockDeployment(tx, token)
  const all = refusesAll(token, deployment, at)
  if (all) throw refuse(all)
  const iccid = parseIccid(asker.iccid)
  if (!iccid) throw refuse('iccid_invalid')
  const known = await findEnrolled(tx, token, iccid)
  if (known) return { device_token: await answerAgain(tx, actor, deployment, known), isNew: false }
  const none = refusesNew(deployment, at)
  if (none) throw refuse(none)
  const asset = await takeSim(tx, actor, { token, deployment, iccid })
  const { account_id } = actor
  if ((await findCoreToken(tx, account_id, asset.asset_id)) !== undefined) throw refuse('iccid_already_bound')
  const { username } = await makeLogin(tx, { account_id, asset_id: asset.asset_id, kind: 'core', at })
  await noteEnrolled(tx, deployment, asker, { iccid, asset_id: asset.asset_id })
  await record(tx, actor, deviceEnrolled, { ...named(deployment), ...asset, iccid })
  return { device_token: username, isNew: true }
}

const named = ({ id, name }: LockedDeployment) => ({ core_deployment_id: id, deployment_name: name })

/** The SIM's asset, where this deployment enrolled it and it is still there. */
const findEnrolled = (tx: Tx, token: FoundToken, iccid: string) =>
  tx
    .selectFrom('core_enrolment as e')
    .innerJoin('asset', (join) => join.onRef('asset.account_id', '=', 'e.account_id').onRef('asset.id', '=', 'e.asset_id'))
    .innerJoin('sim', (join) => join.onRef('sim.account_id', '=', 'e.account_id').onRef('sim.asset_id', '=', 'e.asset_id'))
    .select(['e.iccid', 'asset.id as asset_id', 'asset.name as asset_name', 'e.token_made_at'])
    .where('e.account_id', '=', token.account_id)
    .where('e.deployment_id', '=', token.deployment_id)
    .where(sql<boolean>`e.iccid = any(${iccidForms(iccid)}::text[]) and sim.iccid = any(${iccidForms(iccid)}::text[])`)
    .where(reachedBy(token))
    .limit(1)
    .executeTakeFirst()

type Known = { asset_id: string; asset_name: string; token_made_at: Date | null; iccid: string }

async function answerAgain(tx: Tx, actor: Actor, deployment: LockedDeployment, { asset_id, asset_name, token_made_at, iccid }: Known) {
  const { account_id, at } = actor
  // With a new token it would let itself in again.
  if (await isCut(tx, account_id, asset_id)) throw refuse('device_cut')
  const before = await findCoreToken(tx, account_id, asset_id)
  const isSoon = token_made_at !== null && at.getTime() - token_made_at.getTime() < sameTokenDays * 86_400_000
  const enrolment = tx
    .updateTable('core_enrolment')
    .set((eb) => ({ refused_code: null, last_at: at, ip: actor.ip, asked: eb('asked', '+', 1) }))
    .where('account_id', '=', account_id)
    .where('deployment_id', '=', deployment.id)
    .where('iccid', '=', iccid)
  if (before !== undefined && isSoon) {
    await enrolment.execute()
    return before
  }
  await enrolment.set({ token_made_at: at }).execute()
  const { username } = await makeLogin(tx, { account_id, asset_id, kind: 'core', at })
  await record(tx, actor, deviceTokenRenewed, { ...named(deployment), asset_id, asset_name, iccid })
  return username
}

/** A SIM that comes again after its asset was removed is no further device. */
async function noteEnrolled(
  tx: Tx,
  deployment: LockedDeployment,
  { at, ip }: Asker,
  { iccid, asset_id }: { iccid: string; asset_id: string }
) {
  const { account_id, id: deployment_id } = deployment
  const enrolled = { asset_id, enrolled_at: at, token_made_at: at, refused_code: null, last_at: at, ip }
  const before = await tx
    .selectFrom('core_enrolment')
    .select('enrolled_at')
    .where('account_id', '=', account_id)
    .where('deployment_id', '=', deployment_id)
    .where('iccid', '=', iccid)
    .executeTakeFirst()
  await tx
    .insertInto('core_enrolment')
    .values({ account_id, deployment_id, iccid, ...enrolled, first_at: at })
    .onConflict((on) =>
      on.columns(['account_id', 'deployment_id', 'iccid']).doUpdateSet((eb) => ({ ...enrolled, asked: eb('core_enrolment.asked', '+', 1) }))
    )
    .execute()
  await tx
    .updateTable('core_deployment')
    .set((eb) => ({ last_enrolled_at: at, enrolled: before?.enrolled_at ? eb.ref('enrolled') : eb('enrolled', '+', 1) }))
    .where('account_id', '=', account_id)
    .where('id', '=', deployment_id)
    .execute()
}

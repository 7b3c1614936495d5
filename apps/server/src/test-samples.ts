import { putFleets } from './alpon-fleets/test-fleet.ts'
import { putRule } from './notifications/rules/test-rule.ts'
import { viewAccount } from '@masthead/contract/backoffice/account-operations'
import { enterBackoffice } from '@masthead/contract/backoffice/access-operations'
import { newId } from '@masthead/contract/kernel/id'
import { needsNoPermission, type Operation } from '@masthead/contract/kernel/operation'
import { isStaffPermission } from '@masthead/contract/kernel/permission'
import type { House, Person } from '@masthead/testkit/house'
import { addSecurity, securityBefore, securitySamples } from './account/test-security.ts'
import { addEnforcement } from './assets/network/test-enforcement.ts'
import { addStock, putAsset, putLimit } from './assets/test-stock.ts'
import { hashPassword } from './auth/index.ts'
import { addBackoffice, backofficeBefore, backofficeSamples } from './backoffice/test-backoffice.ts'
import { putCard } from './billing/cards/test-cards.ts'
import { putMoney } from './billing/ledger/test-ledger.ts'
import { putPrices } from './billing/tariffs/test-tariffs.ts'
import { addDeployments } from './core/test-core.ts'
import { putPackage, putPool } from './datapools/test-pools.ts'
import { addApiKey, addWebhook, developerSamples } from './developers/test-developers.ts'
import { putAgent } from './devices/agent/test-agent.ts'
import { putEsimJob } from './devices/network/test-esim-job.ts'
import { putDevice } from './devices/test-device.ts'
import { putFeed } from './feeds/test-feed.ts'
import { putImages } from './registry/test-samples.ts'
import { putReports } from './reports/test-report.ts'
import { putSupport } from './terminal/support/test-support-rows.ts'
import { putTerminals } from './terminal/test-terminal-rows.ts'
import { putTunnel } from './terminal/tunnels/test-tunnel-rows.ts'
import { addTeam, teamSamples } from './teams/test-teams.ts'
import { addAlert, addBulkChange, addIdentity, addSupported } from './test-scene-parts.ts'
import { callRows } from './test-calls.ts'

export type Sample = { params?: Record<string, string>; query?: Record<string, string>; body?: unknown; other?: unknown }

const password = 'correct horse battery'
/** The weakest: it is checked thousands of times. */
const passwordHash = hashPassword(password, { memory: 8, passes: 1, parallelism: 1 })
let count = 0

/** An account with one of everything that an address of the API can name. */
export async function newScene(house: House) {
  const [owner, colleague] = [await house.newOwner(), await house.newOwner()]
  await house.db
    .updateTable('person')
    .set({ password_hash: await passwordHash })
    .where('email', 'in', [owner.email, colleague.email])
    .execute()
  const { account_id } = owner
  const tag_id = newId('tag')
  await house.db.insertInto('tag').values({ account_id, id: tag_id, name: 'north', color: 'teal' }).execute()
  const network_group_id = newId({ prefix: 'ngr' })
  await house.db.insertInto('network_group').values({ account_id, id: network_group_id, name: 'North' }).execute()
  const active = await addAsset(house, owner, 'active')
  const enforcement_id = await addEnforcement(house, account_id, active.id)
  const idle = await addAsset(house, owner, 'inactive')
  const stock = `STOCK-${++count}`
  await addStock(house, { serial: stock, iccid: null })
  const spare = `SPARE-${count}`
  await addStock(house, { serial: spare, type: 'plastic_sim' })
  // With a limit, seen in a device, and with an agent that has something to do.
  const limited = await addAsset(house, owner, 'active')
  const ofLimited = await house.db.selectFrom('sim').select('id').where('asset_id', '=', limited.id).executeTakeFirstOrThrow()
  await house.db.updateTable('sim').set({ imei: '490154203237518' }).where('id', '=', ofLimited.id).execute()
  await putLimit(house.db, { account_id, sim_id: ofLimited.id, bytes: 1e9 })
  await putEsimJob(house, owner, limited.id)
  const device = await putDevice(house, owner)
  const api_key_id = await addApiKey(owner)
  const { webhook_id, delivery_id } = await addWebhook(owner)
  const identity_id = await addIdentity(house, owner)
  const team = await addTeam(house, owner)
  const alert_id = await addAlert(house, account_id)
  const view_id = newId({ prefix: 'viw' })
  const { id: owner_id } = await house.db.selectFrom('person').select('id').where('email', '=', owner.email).executeTakeFirstOrThrow()
  await house.db
    .insertInto('asset_view')
    .values({
      account_id,
      id: view_id,
      name: 'Silent',
      q: 'silent:>1d',
      sort: 'name',
      columns: [],
      shared: true,
      person_id: owner_id,
      made_by: owner.email,
      updated_at: house.clock.now(),
    })
    .execute()
  const rule = await putRule(house, owner, active.id)
  const bulk_id = await addBulkChange(house, owner, active.id)
  const { id: activity_id } = await house.db
    .selectFrom('event')
    .select('id')
    .where('account_id', '=', account_id)
    .where('action', '=', 'api_key_created')
    .executeTakeFirstOrThrow()
  const backoffice = await addBackoffice(house)
  const security = await addSecurity(house, owner)
  const pool_id = await putPool(house, owner)
  const bought_pool_id = await putPool(house, owner, { price_micros: 1000 })
  await house.db.updateTable('data_pool').set({ bought: true }).where('id', '=', bought_pool_id).execute()
  const { package_id } = await house.db.selectFrom('data_pool').select('package_id').where('id', '=', pool_id).executeTakeFirstOrThrow()
  const agent = await putAgent(house, owner)
  const prices = await putPrices(house, owner)
  return {
    device,
    feed: await putFeed(house.db),
    fleet: await putFleets(house, { account_id, active: active.id, idle: idle.id }),
    agent,
    terminal: await putTerminals(house, owner, { ...agent, coded_asset_id: idle.id }),
    tunnel: await putTunnel(house, owner, agent),
    support: await putSupport(house, { account_id, asset_id: agent.asset_id }, owner),
    supported: await addSupported(house, backoffice.customer_id, owner),
    cards: await putCard(house, owner),
    money: await putMoney(house, { account_id, asset_id: active.id, pool_id, ...prices }, backoffice.customer_id),
    prices,
    registry: await putImages(house, owner),
    report: await putReports(house, owner),
    deployment: await addDeployments(owner),
    pool_id,
    bought_pool_id,
    customer_pool_id: await putPool(house, { account_id: backoffice.customer_id, email: backoffice.customer }),
    package_id,
    offered_id: await putPackage(house, { price_micros: 1000 }),
    security,
    backoffice,
    owner,
    colleague,
    account_id,
    tag_id,
    network_group_id,
    enforcement_id,
    activity_id,
    alert_id,
    ...rule,
    view_id,
    bulk_id,
    active,
    idle,
    stock,
    spare,
    limited,
    identity_id,
    api_key_id,
    webhook_id,
    delivery_id,
    team,
  }
}
export type Scene = Awaited<ReturnType<typeof newScene>>

/** The key that a public call asks for: of a device, or of a feed. */
export const ownKeyOf = ({ ownKey }: Pick<Operation, 'ownKey'>, { agent, feed }: Scene): string =>
  ownKey === 'X-Device-Key' ? agent.key : feed.key

async function addAsset(house: House, owner: Person, state: 'active' | 'inactive') {
  const number = String(++count).padStart(8, '0')
  const [serial, iccid] = [`SWEEP-${number}`, `89490200${number}123`]
  const { id } = await putAsset(house, owner, { serial, iccid, imsi: `901280${number}0`, state })
  return { id, serial, iccid }
}

/** Somebody who has the access that a call asks for and no more. */
export async function callerFor(house: House, op: Operation, scene: Scene): Promise<{ person: Person; headers: Record<string, string> }> {
  const { owner } = scene
  await backofficeBefore[op.name]?.(house, scene)
  await securityBefore[op.name]?.(house, scene)
  // The password was right: this cookie goes on.
  if (op.name === 'auth.passSecondStep') return { person: owner, headers: { cookie: `masthead_step=${scene.security.step}` } }
  if (op.ownKey) return { person: owner, headers: { [op.ownKey]: ownKeyOf(op, scene) } }
  // Only who looks at a customer's account can stop.
  if (op.name === 'backoffice.stopViewing') {
    const headers = { 'x-backoffice-token': await enter(house, owner, ['backoffice']) }
    await owner.call(viewAccount, { params: { email: scene.backoffice.customer }, body: { reason: 'The sweep' } }, headers)
  }
  // Only staff may ask to enter the backoffice, though they have no token yet.
  if (op.name === 'backoffice.enterBackoffice') await makeStaff(house, owner, ['backoffice'])
  // The permission is not enough to ask a second factor of everybody.
  const owners = op.access === 'public' || needsNoPermission(op.access) || op.name === 'teams.demandSecondFactor'
  if (owners) return { person: owner, headers: {} }
  if (isStaffCall(op)) return { person: owner, headers: { 'x-backoffice-token': await enter(house, owner, ['backoffice', op.access]) } }
  // A webhook is sent what activities say, and the sample's report has them.
  const tells = ['developers.createWebhook', 'reports.requestReport', 'reports.createSchedule']
  // A view of the team is changed by whoever may edit assets.
  const shared = ['assets.updateView', 'assets.deleteView'].includes(op.name) ? ['assets.edit'] : []
  // A rule shows assets.
  const watches = /^notifications\.(create|update|preview)Rule$/.test(op.name) ? ['assets.view'] : shared
  const also = tells.includes(op.name) ? ['overview.view'] : watches
  return { person: await house.newMember(owner, [op.access, ...also]), headers: {} }
}

export const isStaffCall = ({ access }: Operation) => isStaffPermission(access)

/** Makes somebody staff and takes them into the backoffice: the token. */
export async function enter(house: House, person: Person, permissions: string[]): Promise<string> {
  await makeStaff(house, person, permissions)
  return (await person.call(enterBackoffice, { body: { password, reason: 'The sweep' } })).body.token
}

const makeStaff = (house: House, { email }: Person, permissions: string[]) =>
  house.db.updateTable('person').set({ permissions }).where('email', '=', email).execute()

const preference = {
  in_app: ['critical'],
  mail: ['critical'],
  webhook: [],
  muted: ['staff'],
  quiet_from: '22:00',
  quiet_to: '07:00',
  timezone: 'Europe/Warsaw',
  urgent: true,
  cooldown_minutes: 30,
}

/** A request of each call that works on a scene; `other` is another body for the same call. Calls that need nothing are left out. */
export const samples: Record<string, (scene: Scene) => Sample> = {
  'auth.login': ({ owner, colleague }) => ({ body: { email: owner.email, password }, other: { email: colleague.email, password } }),
  'auth.register': () => ({
    body: { email: `new-${++count}@example.test`, password, team_name: 'New' },
    other: { email: `new-${++count}@example.test`, password, team_name: 'New' },
  }),
  'auth.switchAccount': ({ owner }) => ({
    body: { team_member_email: owner.email },
    other: { team_member_email: 'somebody@example.test' },
  }),
  'auth.linkIdentity': () => ({ body: { password, return_to: '/profile' }, other: { password, return_to: '/' } }),
  'auth.unlinkIdentity': ({ identity_id }) => ({ params: { identity_id }, body: { password }, other: { password, code: '000000' } }),
  'backoffice.enterBackoffice': () => ({ body: { password, reason: 'A ticket' }, other: { password, reason: 'Another ticket' } }),
  'backoffice.loadInventory': () => ({ body: `type,serial\nplastic_sim,LOAD-${++count}\n` }),
  'assets.getAsset': ({ active }) => ({ params: { asset_id: active.id } }),
  'assets.registerAsset': ({ stock }) => ({ body: { token: stock }, other: { token: stock, name: 'Other' } }),
  'assets.updateAsset': ({ active }) => ({ params: { asset_id: active.id }, body: { name: 'New name' }, other: { name: 'Other name' } }),
  'assets.activateSim': ({ idle, active }) => ({ params: { asset_id: idle.id }, other: { asset_id: active.id } }),
  'assets.deactivateSim': ({ idle, active }) => ({ params: { asset_id: active.id }, other: { asset_id: idle.id } }),
  'assets.previewBulkChange': ({ active, tag_id }) => ({
    body: { action: 'add_tags', tags: [tag_id], asset_ids: [active.id] },
    other: { action: 'activate_sim', asset_ids: [active.id] },
  }),
  'assets.startBulkChange': ({ active, tag_id }) => ({
    body: { action: 'add_tags', tags: [tag_id], asset_ids: [active.id] },
    other: { action: 'activate_sim', asset_ids: [active.id] },
  }),
  'assets.getBulkChange': ({ bulk_id }) => ({ params: { bulk_id } }),
  'assets.listLeftAssets': ({ bulk_id }) => ({ params: { bulk_id } }),
  'assets.listTimeline': ({ active }) => ({ params: { asset_id: active.id } }),
  'assets.listUsedNetworks': ({ active }) => ({ params: { asset_id: active.id } }),
  'assets.getEnforcement': ({ enforcement_id }) => ({ params: { enforcement_id } }),
  'assets.listAssetSessions': ({ active }) => ({ params: { asset_id: active.id } }),
  'assets.getSimUsages': ({ active }) => ({ params: { asset_id: active.id } }),
  'activities.getActivity': ({ activity_id }) => ({ params: { activity_id } }),
  'notifications.getAlert': ({ alert_id }) => ({ params: { alert_id } }),
  'notifications.acknowledgeAlerts': ({ alert_id }) => ({ body: { alert_ids: [alert_id] }, other: {} }),
  'notifications.readAlerts': ({ alert_id }) => ({ body: { alert_ids: [alert_id] }, other: {} }),
  'notifications.setPreference': () => ({ body: preference, other: { ...preference, cooldown_minutes: 5 } }),
  'tags.createTag': () => ({ body: { name: 'south' }, other: { name: 'east' } }),
  'tags.updateTag': ({ tag_id }) => ({ params: { tag_id }, body: { name: 'south' }, other: { name: 'east' } }),
  'tags.deleteTag': ({ tag_id }) => ({ params: { tag_id } }),
}

Object.assign(samples, backofficeSamples, developerSamples, teamSamples, securitySamples)
for (const [name, { sample }] of Object.entries(callRows)) if (sample) samples[name] = sample

import { enterBackoffice } from '@masthead/contract/backoffice/access-operations'
import { newId } from '@masthead/contract/kernel/id'
import { staffPermissions } from '@masthead/contract/kernel/permission'
import type { House, Person } from '@masthead/testkit/house'
import { addStock as addPiece, putAsset } from '../assets/test-stock.ts'
import { hashPassword } from '../auth/index.ts'
import { addCorrection, correctionSamples } from './corrections/test-corrections.ts'
import { enrolDevice } from '../devices/index.ts'
import { putGateway } from '../gateways/test-gateway.ts'
import { readingOf } from '../metering/test-network.ts'
import { loadNetworks } from '../networks/index.ts'

let count = 0
const password = 'correct horse battery'
const hash = hashPassword(password)
const all = Object.keys(staffPermissions)

/** Somebody of staff in the backoffice: `call` carries the token, `plain` does not. */
export async function enterStaff(house: House, permissions: string[] = all) {
  const person = await house.newOwner('staff', { staff: permissions })
  const row = await house.db
    .updateTable('person')
    .set({ password_hash: await hash })
    .where('email', '=', person.email)
    .returning('id')
    .executeTakeFirstOrThrow()
  const reason = 'Ticket 1: a test'
  const { token } = (await person.call(enterBackoffice, { body: { password, reason } })).body
  const call: Person['call'] = (op, input, headers = {}) => person.call(op, input, { 'x-backoffice-token': token, ...headers })
  return { ...person, person_id: row.id, password, token, reason, plain: person.call, call }
}
export type Staff = Awaited<ReturnType<typeof enterStaff>>

/** One of everything that an address of the backoffice can name: a customer, a gateway, stock of theirs, usage that matched no SIM. */
export async function addBackoffice(house: House) {
  const customer = await house.newOwner('customer')
  await loadNetworks(house.db)
  const gateway_id = await addTestGateway(house)
  const owned = await addStock(house, customer)
  const served = await addStock(house, customer)
  const quarantine_id = await addQuarantined(house, gateway_id)
  const spare_gateway_id = await addTestGateway(house)
  const { address_id } = await putGateway(house.db, { id: gateway_id, address: address() })
  const { device_id } = await house.db
    .transaction()
    .execute((tx) => enrolDevice(tx, { account_id: customer.account_id, asset_id: served.asset_id, kind: 'agent', at: house.clock.now() }))
  const ids = { gateway_id, address_id, spare_gateway_id, quarantine_id, device_id }
  const corrected = await addCorrection(house, { ...owned, account_id: customer.account_id })
  return { customer: customer.email, customer_id: customer.account_id, owned, served, corrected, ...ids }
}
type Backoffice = Awaited<ReturnType<typeof addBackoffice>>

/** A gateway at an address of its own. */
export async function addTestGateway(house: House): Promise<string> {
  const number = ++count
  const address = `198.18.${number >> 8}.${number & 255}`
  const { gateway_id } = await putGateway(house.db, { name: `gw-${number}`, address, secret: 'a secret of sixteen' })
  return gateway_id
}

/** Stock with a SIM; with somebody, registered to them as an active asset. */
export async function addStock(house: House, owner: Pick<Person, 'account_id'> | null) {
  const number = String(++count).padStart(7, '0')
  const [serial, iccid, imsi] = [`BO-${number}`, `8949030${number}12345`, `90170${number}00`]
  const asset = owner && (await putAsset(house, owner, { serial, iccid, imsi, state: 'active' }))
  const at = house.clock.now()
  const registered = owner && { account_id: owner.account_id, asset_id: asset!.id, registered_at: at }
  await addPiece(house, { type: 'plastic_sim', serial, iccid, imsis: [imsi], loaded_at: at, ...registered })
  return { serial, iccid, imsi, asset_id: asset?.id ?? '', sim_id: asset?.sim_id ?? '' }
}

type Usage = { imsi?: string; session?: string; up?: number; down?: number; kind?: 'interim' | 'stop' }

/** A session of an IMSI that no SIM has, as the meter leaves it. */
export async function addQuarantined(
  house: House,
  gateway_id: string,
  { imsi, session, up = 1000, down = 5000, kind = 'interim' }: Usage = {}
) {
  const id = newId('quarantine')
  const number = ++count
  const at = house.clock.now()
  const [nas, acct_session_id, identity] = [
    `pgw-${gateway_id}`,
    session ?? `q${number}`,
    imsi ?? `99970${String(number).padStart(10, '0')}`,
  ]
  const where = { apn: 'iot', ip: '10.0.0.1', rat: 'EUTRAN', mccmnc: '262-01' }
  const counted = { session_time: 600, counter_up: up, counter_down: down, has_gigawords: true }
  const end_cause = kind === 'stop' ? 'User request' : null
  const reported = { kind, nas, acct_session_id, end_cause, ...counted, ...where }
  const reading = readingOf({ clock: house.clock, gateway_id }, { imsi: identity }, reported)
  await house.db
    .insertInto('quarantine')
    .values({
      id,
      reason: 'No SIM has this number',
      gateway_id,
      nas,
      acct_session_id,
      identity,
      imsi: identity,
      first_at: at,
      last_at: at,
      counter_up: up,
      counter_down: down,
      mccmnc: '262-01',
      rat: 'EUTRAN',
      last_packet: JSON.stringify(reading),
    })
    .execute()
  return id
}

type Sample = { params?: Record<string, string>; query?: Record<string, string>; body?: unknown; other?: unknown }
type Scene = { backoffice: Backoffice; stock: string; active: { id: string }; idle: { id: string; serial: string } }

const reason = 'A ticket'
const why = { body: { reason }, other: { reason: 'Another ticket' } }
const address = () => `198.19.${++count >> 8}.${count & 255}`
const csv = 'mccmnc,name,country,zone,cost,price\n262-01,Telekom,DE,Europe,0.004,0.012\n'
/** A day that is always to come. */
const effective_from = '2099-01-01'

/** A request of each call that works on a scene. */
export const backofficeSamples: Record<string, (scene: Scene) => Sample> = {
  'backoffice.listSearchHits': ({ stock }) => ({ query: { search: stock } }),
  'backoffice.getStaffDevice': ({ active }) => ({ params: { any_asset_id: active.id } }),
  'backoffice.getStaffAsset': ({ active }) => ({ params: { any_asset_id: active.id } }),
  'backoffice.cutBrokerClient': ({ backoffice }) => ({ params: { any_device_id: backoffice.device_id }, ...why }),
  'backoffice.holdSim': ({ backoffice }) => ({ params: { any_asset_id: backoffice.served.serial }, ...why }),
  'backoffice.releaseSim': ({ backoffice }) => ({ params: { any_asset_id: backoffice.owned.serial }, ...why }),
  'backoffice.getCustomer': ({ backoffice }) => ({ params: { email: backoffice.customer } }),
  'backoffice.listCustomerAssets': ({ backoffice }) => ({ params: { email: backoffice.customer } }),
  'backoffice.suspendAccount': ({ backoffice }) => ({ params: { email: backoffice.customer }, ...why }),
  'backoffice.proveEmail': ({ backoffice }) => ({ params: { email: backoffice.customer }, ...why }),
  'backoffice.resumeAccount': ({ backoffice }) => ({ params: { email: backoffice.customer }, ...why }),
  'backoffice.updateFeatureFlags': ({ backoffice }) => ({
    params: { email: backoffice.customer },
    body: { network_groups: false, reason },
    other: { network_groups: true, reason },
  }),
  'backoffice.updateGroups': ({ backoffice }) => ({
    params: { email: backoffice.customer },
    body: { groups: ['beta'], reason },
    other: { groups: [], reason },
  }),
  'backoffice.setTestAllowance': ({ backoffice }) => ({
    params: { email: backoffice.customer },
    body: { bytes: 5_000_000, reason },
    other: { bytes: null, reason },
  }),
  'backoffice.setRegistryQuota': ({ backoffice }) => ({
    params: { email: backoffice.customer },
    body: { bytes: 5_000_000_000, reason },
    other: { bytes: null, reason },
  }),
  'backoffice.updateStaff': ({ backoffice }) => ({
    params: { email: backoffice.customer },
    body: { permissions: ['backoffice'], reason },
    other: { permissions: [], reason },
  }),
  'backoffice.addNote': ({ backoffice }) => ({
    params: { email: backoffice.customer },
    body: { text: 'A note' },
    other: { text: 'Another note' },
  }),
  'backoffice.viewAccount': ({ backoffice }) => ({ params: { email: backoffice.customer }, ...why }),
  'backoffice.addGateway': () => ({ body: { name: 'new', address: address() }, other: { name: 'other', address: address() } }),
  'backoffice.updateGateway': ({ backoffice: { gateway_id } }) => ({
    params: { gateway_id },
    body: { disabled: true },
    other: { disabled: false },
  }),
  'backoffice.addGatewayAddress': ({ backoffice: { gateway_id } }) => ({
    params: { gateway_id },
    body: { address: address() },
    other: { address: address() },
  }),
  'backoffice.updateGatewayAddress': ({ backoffice: { gateway_id, address_id } }) => ({
    params: { gateway_id, address_id },
    body: { legacy: true },
    other: { legacy: false },
  }),
  'backoffice.rotateGatewaySecret': ({ backoffice: { gateway_id, address_id } }) => ({
    params: { gateway_id, address_id },
    body: {},
    other: { secret: 'sixteen characters' },
  }),
  'backoffice.removeGatewayAddress': ({ backoffice: { gateway_id, address_id } }) => ({
    params: { gateway_id, address_id },
    other: { gateway_id, address_id: 'gad_other' },
  }),
  'backoffice.joinGateways': ({ backoffice: { gateway_id, spare_gateway_id } }) => ({
    params: { gateway_id },
    body: { other_id: spare_gateway_id },
    other: { other_id: 'gtw_other' },
  }),
  'backoffice.removeGateway': ({ backoffice: { spare_gateway_id: gateway_id } }) => ({
    params: { gateway_id },
    other: { gateway_id: 'gtw_other' },
  }),
  'backoffice.updateOperator': () => ({ params: { mccmnc: '262-01' }, body: { notes: 'A note' }, other: { notes: 'Another' } }),
  'backoffice.listOperatorRates': () => ({ params: { mccmnc: '262-01' } }),
  'backoffice.setOperatorRate': () => ({
    params: { mccmnc: '262-01' },
    body: { effective_from, zone: 'Europe', cost_micros: 4000, price_micros: 12_000 },
    other: { effective_from, zone: 'Europe', cost_micros: 4000, price_micros: 13_000 },
  }),
  'backoffice.importNetworks': () => ({ query: { effective_from }, body: csv }),
  'backoffice.assignStock': ({ stock, backoffice: { customer } }) => ({
    body: { serials: [stock], account: customer, reason },
    other: { serials: [stock], account: customer, reason: 'Another' },
  }),
  'backoffice.transferStock': ({ backoffice: { owned } }) => ({
    params: { serial: owned.serial },
    body: { account: null, reason },
    other: { account: null, reason: 'Another' },
  }),
  'backoffice.matchQuarantine': ({ backoffice: { quarantine_id, owned } }) => ({
    params: { quarantine_id },
    body: { sim: owned.iccid, reason },
    other: { sim: owned.iccid, reason: 'Another' },
  }),
  'backoffice.discardQuarantine': ({ backoffice: { quarantine_id } }) => ({ params: { quarantine_id }, ...why }),
  ...correctionSamples,
}

/** What must be so before a call can work on a scene. */
export const backofficeBefore: Record<string, (house: House, scene: Scene) => Promise<unknown>> = {
  'backoffice.proveEmail': (house, { backoffice }) =>
    house.db
      .updateTable('person')
      .set({ email_proven_at: null, email_proven_by: null })
      .where('account_id', '=', backoffice.customer_id)
      .execute(),
  'backoffice.resumeAccount': (house, { backoffice }) =>
    house.db
      .updateTable('account')
      .set({ suspended_at: house.clock.now(), suspended_reason: 'Unpaid' })
      .where('id', '=', backoffice.customer_id)
      .execute(),
  'backoffice.releaseSim': (house, { backoffice }) =>
    house.db
      .updateTable('sim')
      .set({
        blocks: JSON.stringify([{ code: 'staff', since: house.clock.now().toISOString(), by: 'staff', words: 'Held', clears: 'Never' }]),
      })
      .where('id', '=', backoffice.owned.sim_id)
      .execute(),
}

import { randomBytes } from 'node:crypto'
import type { Gateway } from '@masthead/contract/backoffice/gateway-operations'
import { gatewayAddressTaken, gatewayInUse, gatewayLastAddress, gatewayOff, gatewayUnknown } from '@masthead/contract/backoffice/problems'
import {
  gatewayAdded,
  gatewayAddressAdded,
  gatewayAddressChanged,
  gatewayAddressRemoved,
  gatewayChanged,
  gatewayDisabled,
  gatewayEnabled,
  gatewayRemoved,
  gatewaySecretChanged,
  gatewaysJoined,
} from '@masthead/contract/backoffice/staff-actions'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import {
  addressHeard,
  getGateway,
  insertAddress,
  insertGateway,
  moveGateway,
  encryptGatewaySecret,
  type NewAddress,
} from '../gateways/index.ts'
import type { Actor, Tx } from '../kernel/app.ts'
import { recordStaff } from './staff/staff-log.ts'

/** Not those of feeds, which are none, nor those that became a part of another one. */
const gatewaysIn = (tx: Tx) => tx.selectFrom('gateway').where('of_feed', '=', false).where('joined_into', 'is', null)

type WantedAddress = Omit<NewAddress, 'secret'> & { secret?: string | undefined; legacy: boolean; coa_port: number }
type Changes = { address?: string | undefined; legacy?: boolean | undefined; coa_port?: number | undefined }
type At = { gateway_id: string; address_id: string }

/** A packet gateway may report from now on; without a secret it gets a new one. Throws gateway_address_taken. */
export async function addGateway(
  tx: Tx,
  actor: Actor,
  { secret = newSecret(), ...wanted }: WantedAddress & { name: string }
): Promise<{ id: string; secret: string }> {
  const gateway = { ...wanted, address: addressHeard(wanted.address) }
  const id = await insertGateway(tx, { ...gateway, secret }, actor.at)
  if (!id) throw await addressTaken(tx, gateway.address)
  await recordStaff(tx, actor, gatewayAdded, gateway, { target: gateway.name, after: gateway })
  return { id, secret }
}

/** Renames a gateway, or switches it on and off. What is as wanted already is no change. Throws not_found. */
export async function updateGateway(
  tx: Tx,
  actor: Actor,
  id: string,
  { name, disabled }: { name?: string | undefined; disabled?: boolean | undefined }
): Promise<Gateway> {
  const before = await getGatewayForUpdate(tx, id)
  const after = { name: name ?? before.name }
  if (after.name !== before.name) {
    await tx
      .updateTable('gateway')
      .set(after)
      .where((eb) => eb.or([eb('id', '=', id), eb('joined_into', '=', id)]))
      .execute()
    await recordStaff(tx, actor, gatewayChanged, after, { target: after.name, before: { name: before.name }, after })
  }
  if (disabled !== undefined && disabled !== (before.disabled_at !== null)) {
    await tx
      .updateTable('gateway')
      .set({ disabled_at: disabled ? actor.at : null })
      .where('id', '=', id)
      .execute()
    await recordStaff(tx, actor, disabled ? gatewayDisabled : gatewayEnabled, after, {
      target: after.name,
      before: { disabled: !disabled },
      after: { disabled },
    })
  }
  return getGateway(tx, actor.at, id)
}

/** Makes another gateway a part of this one: both speak of the same sessions. Throws not_found, gateway_unknown, gateway_off. */
export async function joinGateways(tx: Tx, actor: Actor, id: string, other_id: string): Promise<void> {
  if (id === other_id) throw new Problem(gatewayUnknown, 'Name another gateway than this one', { fields: { other_id: 'Another gateway' } })
  // In one order, should somebody join them the other way round at the same time.
  const both = await gatewaysIn(tx).selectAll().where('id', 'in', [id, other_id]).orderBy('id').forUpdate().execute()
  const [gateway, other] = [both.find((each) => each.id === id), both.find((each) => each.id === other_id)]
  if (!gateway) throw new Problem(notFound)
  if (!other) throw new Problem(gatewayUnknown, `There is no gateway with the id ${other_id}`)
  const off = both.find(({ disabled_at }) => disabled_at !== null)
  if (off) throw new Problem(gatewayOff, `${off.name} is switched off. Switch it on first: joined gateways all report`)
  const moved = await moveGateway(tx, actor, other, gateway)
  const [name, joined] = [gateway.name, other.name]
  await recordStaff(
    tx,
    actor,
    gatewaysJoined,
    { name, other: joined, ...moved },
    { target: name, before: { name: joined }, after: { name, ...moved } }
  )
}

/** Forgets a gateway and its addresses. Throws not_found, and gateway_in_use while what it reported is on record. */
export async function removeGateway(tx: Tx, actor: Actor, id: string): Promise<void> {
  const { name } = await getGatewayForUpdate(tx, id)
  const addresses = await tx.selectFrom('gateway_address').select(['address', 'legacy', 'coa_port']).where('gateway_id', '=', id).execute()
  await tx
    .deleteFrom('gateway')
    .where('id', '=', id)
    .execute()
    .catch((error: { code?: string }) => {
      if (error.code !== foreignKeyViolation) throw error
      throw new Problem(
        gatewayInUse,
        `What ${name} reported is on record, so it stays. Switch it off, and its packets are dropped from now on`
      )
    })
  await recordStaff(tx, actor, gatewayRemoved, { name }, { target: name, before: { name, addresses } })
}

async function getGatewayForUpdate(tx: Tx, id: string) {
  const row = await gatewaysIn(tx).selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return row
}

/** A gateway may report from one more address. Throws not_found, gateway_address_taken. */
export async function addGatewayAddress(
  tx: Tx,
  actor: Actor,
  gateway_id: string,
  { secret = newSecret(), ...given }: WantedAddress
): Promise<{ secret: string }> {
  const wanted = { ...given, address: addressHeard(given.address) }
  const gateway = await gatewaysIn(tx).select('name').where('id', '=', gateway_id).forUpdate().executeTakeFirst()
  if (!gateway) throw new Problem(notFound)
  if (!(await insertAddress(tx, gateway_id, { ...wanted, secret }, actor.at))) throw await addressTaken(tx, wanted.address)
  const { name } = gateway
  await recordStaff(tx, actor, gatewayAddressAdded, { name, address: wanted.address }, { target: name, after: wanted })
  return { secret }
}

/** Changes an address. What is as wanted already is no change. Throws not_found, gateway_address_taken. */
export async function updateGatewayAddress(tx: Tx, actor: Actor, at: At, wanted: Changes): Promise<void> {
  const { name, address, legacy, coa_port } = await getAddressForUpdate(tx, at)
  const before = { address, legacy, coa_port }
  const given = { ...wanted, address: wanted.address && addressHeard(wanted.address) }
  const after = { ...before, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) }
  if (JSON.stringify(after) === JSON.stringify(before)) return
  const taken = await tx
    .selectFrom('gateway_address')
    .select('id')
    .where('address', '=', after.address)
    .where('id', '<>', at.address_id)
    .executeTakeFirst()
  if (taken) throw await addressTaken(tx, after.address)
  await tx.updateTable('gateway_address').set(after).where('id', '=', at.address_id).execute()
  await recordStaff(tx, actor, gatewayAddressChanged, { name, address: after.address }, { target: name, before, after })
}

/** Gives an address another secret: packets with the old one are dropped in silence. Secrets stand in no log. Throws not_found. */
export async function rotateGatewaySecret(tx: Tx, actor: Actor, at: At, secret = newSecret()): Promise<{ secret: string }> {
  const { name, address } = await getAddressForUpdate(tx, at)
  await tx
    .updateTable('gateway_address')
    .set({ secret: encryptGatewaySecret(tx, at.address_id, secret), secret_changed_at: actor.at })
    .where('id', '=', at.address_id)
    .execute()
  await recordStaff(tx, actor, gatewaySecretChanged, { name, address }, { target: name })
  return { secret }
}

/** What comes from this address is dropped from now on. Throws not_found, gateway_last_address. */
export async function removeGatewayAddress(tx: Tx, actor: Actor, at: At): Promise<void> {
  const { name, address, legacy, coa_port } = await getAddressForUpdate(tx, at)
  const other = await tx
    .selectFrom('gateway_address')
    .select('id')
    .where('gateway_id', '=', at.gateway_id)
    .where('id', '<>', at.address_id)
    .limit(1)
    .executeTakeFirst()
  if (!other) throw new Problem(gatewayLastAddress)
  await tx.deleteFrom('gateway_address').where('id', '=', at.address_id).execute()
  await recordStaff(tx, actor, gatewayAddressRemoved, { name, address }, { target: name, before: { address, legacy, coa_port } })
}

/** With its gateway's row locked: who changes addresses of one gateway takes turns. */
async function getAddressForUpdate(tx: Tx, { gateway_id, address_id }: At) {
  const gateway = await gatewaysIn(tx).select('name').where('id', '=', gateway_id).forUpdate().executeTakeFirst()
  const row = await tx
    .selectFrom('gateway_address')
    .select(['address', 'legacy', 'coa_port'])
    .where('gateway_id', '=', gateway_id)
    .where('id', '=', address_id)
    .executeTakeFirst()
  if (!gateway || !row) throw new Problem(notFound)
  return { ...row, ...gateway }
}

const foreignKeyViolation = '23503'
/** Names the gateway, as it may be the one to be changed, or to be joined. */
async function addressTaken(tx: Tx, address: string) {
  const other = await tx
    .selectFrom('gateway_address')
    .innerJoin('gateway', 'gateway.id', 'gateway_id')
    .select('name')
    .where('address', '=', address)
    .executeTakeFirst()
  const words = `${other?.name ?? 'Another gateway'} has the address ${address} already`
  return new Problem(gatewayAddressTaken, words, { fields: { address: words } })
}
const newSecret = () => randomBytes(24).toString('base64url')

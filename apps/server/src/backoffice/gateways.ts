import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type Gateway, gatewaySilentAfter } from '@masthead/contract/backoffice/gateway-operations'
import { gatewayAddressTaken, gatewayAmbiguous, gatewayInUse, gatewayUnknown } from '@masthead/contract/backoffice/problems'
import {
  gatewayAdded,
  gatewayChanged,
  gatewayDisabled,
  gatewayEnabled,
  gatewayRemoved,
  gatewaySecretChanged,
} from '@masthead/contract/backoffice/staff-actions'
import { newId } from '@masthead/contract/kernel/id'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Db, Tx } from '../kernel/app.ts'
import { sealGatewaySecret } from '../metering/index.ts'
import { recordStaff } from './staff-log.ts'

/** `legacy`: may send an Access-Request without Message-Authenticator. `coa_port`: where it takes Disconnect-Requests. */
export type NewGateway = { name: string; address: string; secret?: string | undefined; legacy: boolean; coa_port: number }
type Changes = { [Field in 'name' | 'address']?: string | undefined } & {
  legacy?: boolean | undefined
  coa_port?: number | undefined
  disabled?: boolean | undefined
}

/** A packet gateway may report from now on; without a secret it gets a new one. Throws gateway_address_taken. */
export async function addGateway(
  tx: Tx,
  actor: Actor,
  { secret = newSecret(), ...gateway }: NewGateway
): Promise<{ id: string; secret: string }> {
  const id = newId('gateway', actor.at.getTime())
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('gateway')
    .values({ id, ...gateway, secret: sealGatewaySecret(id, secret), created_at: actor.at, secret_changed_at: actor.at, heard_at: null })
    .onConflict((conflict) => conflict.column('address').doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 0n) throw addressTaken(gateway.address)
  await recordStaff(tx, actor, gatewayAdded, gateway, { target: gateway.name, after: gateway })
  return { id, secret }
}

/** Changes a gateway, or switches it on and off. What is as wanted already is no change. Throws not_found, gateway_address_taken. */
export async function updateGateway(tx: Tx, actor: Actor, id: string, { disabled, ...wanted }: Changes): Promise<Gateway> {
  const before = await getGatewayForUpdate(tx, id)
  const known = { name: before.name, address: before.address, legacy: before.legacy, coa_port: before.coa_port }
  const after = { ...known, ...Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)) }
  if (JSON.stringify(after) !== JSON.stringify(known)) {
    const taken = await tx.selectFrom('gateway').select('id').where('address', '=', after.address).where('id', '<>', id).executeTakeFirst()
    if (taken) throw addressTaken(after.address)
    await tx.updateTable('gateway').set(after).where('id', '=', id).execute()
    await recordStaff(tx, actor, gatewayChanged, after, { target: after.name, before: known, after })
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

/** Gives a gateway another secret: packets with the old one are dropped in silence. Secrets stand in no log. Throws not_found. */
export async function rotateGatewaySecret(tx: Tx, actor: Actor, id: string, secret = newSecret()): Promise<{ secret: string }> {
  const { name, address } = await getGatewayForUpdate(tx, id)
  await tx
    .updateTable('gateway')
    .set({ secret: sealGatewaySecret(id, secret), secret_changed_at: actor.at })
    .where('id', '=', id)
    .execute()
  await recordStaff(tx, actor, gatewaySecretChanged, { name, address }, { target: name })
  return { secret }
}

/** Forgets a gateway. Throws not_found, and gateway_in_use while what it reported is on record. */
export async function removeGateway(tx: Tx, actor: Actor, id: string): Promise<void> {
  const { name, address, legacy, coa_port } = await getGatewayForUpdate(tx, id)
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
  await recordStaff(tx, actor, gatewayRemoved, { name, address }, { target: name, before: { name, address, legacy, coa_port } })
}

/** Every gateway, without its secret. */
export async function listGateways(db: Db, at: Date): Promise<Gateway[]> {
  const rows = await inFull(db).orderBy('name').orderBy('address').execute()
  return rows.map((row) => asGateway(row, at))
}

export async function getGateway(db: Db, at: Date, id: string): Promise<Gateway> {
  const row = await inFull(db).where('id', '=', id).executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return asGateway(row, at)
}

const inFull = (db: Db) =>
  db
    .selectFrom('gateway')
    .select(['id', 'name', 'address', 'legacy', 'coa_port', 'heard_at', 'disabled_at', 'packets', 'secret_changed_at', 'created_at'])
    .select(sql<number>`(select count(*) from data_session s where s.gateway_id = gateway.id and s.ended_at is null)`.as('open_sessions'))
type Row = Awaited<ReturnType<ReturnType<typeof inFull>['execute']>>[number]

const asGateway = ({ heard_at, disabled_at, secret_changed_at, created_at, ...row }: Row, at: Date): Gateway => ({
  ...row,
  state: disabled_at
    ? 'disabled'
    : !heard_at
      ? 'never'
      : at.getTime() - heard_at.getTime() > gatewaySilentAfter * 1000
        ? 'silent'
        : 'hearing',
  heard_at: heard_at?.toISOString() ?? null,
  secret_changed_at: secret_changed_at?.toISOString() ?? null,
  created_at: created_at.toISOString(),
})

async function getGatewayForUpdate(tx: Tx, id: string) {
  const row = await tx.selectFrom('gateway').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return row
}

/** The gateway meant by a name or an address, for the command line. Throws gateway_unknown, gateway_ambiguous. */
export async function getGatewayId(db: Db, named: string): Promise<string> {
  const found = await db
    .selectFrom('gateway')
    .select(['id', 'address'])
    .where((each) => each.or([each('name', '=', named), sql<boolean>`host(address) = ${named}`]))
    .execute()
  if (found.length > 1) {
    const addresses = found.map(({ address }) => address).join(', ')
    throw new Problem(gatewayAmbiguous, `Several gateways are named ${named}. Say which by its address: ${addresses}`)
  }
  if (!found[0]) throw new Problem(gatewayUnknown, `There is no gateway with the name or address ${named}`)
  return found[0].id
}

const addressTaken = (address: string) => {
  const words = `There is a gateway at ${address} already`
  return new Problem(gatewayAddressTaken, words, { fields: { address: words } })
}
const foreignKeyViolation = '23503'
const newSecret = () => randomBytes(24).toString('base64url')

import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { gatewayAddressTaken, gatewayAmbiguous, gatewayInUse, gatewayUnknown } from '@masthead/contract/backoffice/problems'
import { newId } from '@masthead/contract/kernel/id'
import { Problem } from '@masthead/contract/kernel/problem'
import type { Db, Tx } from '../kernel/app.ts'

/** `legacy`: may send an Access-Request without Message-Authenticator. `coa_port`: where it takes Disconnect-Requests. */
export type NewGateway = { name: string; address: string; secret?: string | undefined; legacy: boolean; coa_port: number }

/** A packet gateway may report from now on; without a secret it gets a new one. Throws gateway_address_taken. */
export async function addGateway(tx: Tx, at: Date, { secret = newSecret(), ...gateway }: NewGateway): Promise<{ secret: string }> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('gateway')
    .values({ id: newId('gateway', at.getTime()), ...gateway, secret, created_at: at, heard_at: null })
    .onConflict((conflict) => conflict.column('address').doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 0n) throw new Problem(gatewayAddressTaken, `There is a gateway at ${gateway.address} already`)
  return { secret }
}

/** Gives a gateway another secret: packets with the old one are dropped in silence. Throws gateway_unknown, gateway_ambiguous. */
export async function setGatewaySecret(tx: Tx, named: string, secret = newSecret()): Promise<{ secret: string }> {
  const { id } = await getGatewayForUpdate(tx, named)
  await tx.updateTable('gateway').set({ secret }).where('id', '=', id).execute()
  return { secret }
}

/** Forgets a gateway. Throws gateway_unknown, gateway_ambiguous, and gateway_in_use while what it reported is on record. */
export async function removeGateway(tx: Tx, named: string): Promise<void> {
  const { id, name } = await getGatewayForUpdate(tx, named)
  await tx
    .deleteFrom('gateway')
    .where('id', '=', id)
    .execute()
    .catch((error: { code?: string }) => {
      if (error.code !== foreignKeyViolation) throw error
      throw new Problem(
        gatewayInUse,
        `What ${name} reported is on record, so it stays. Give it another secret to drop its packets from now on`
      )
    })
}

/** Every gateway, without its secret. */
export const listGateways = (db: Db) =>
  db.selectFrom('gateway').select(['name', 'address', 'legacy', 'coa_port', 'heard_at']).orderBy('name').orderBy('address').execute()

async function getGatewayForUpdate(tx: Tx, named: string) {
  const found = await tx
    .selectFrom('gateway')
    .select(['id', 'name', 'address'])
    .where((each) => each.or([each('name', '=', named), sql<boolean>`host(address) = ${named}`]))
    .forUpdate()
    .execute()
  if (found.length > 1) {
    const addresses = found.map(({ address }) => address).join(', ')
    throw new Problem(gatewayAmbiguous, `Several gateways are named ${named}. Say which by its address: ${addresses}`)
  }
  if (!found[0]) throw new Problem(gatewayUnknown, `There is no gateway with the name or address ${named}`)
  return found[0]
}

const foreignKeyViolation = '23503'
const newSecret = () => randomBytes(24).toString('base64url')

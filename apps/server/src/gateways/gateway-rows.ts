import { newId } from '@masthead/contract/kernel/id'
import type { Tx } from '../kernel/app.ts'
import { isEncrypted, type Keyed } from '../kernel/secrets/secret-keys.ts'

const placeOf = (address_id: string) => `gateway ${address_id}`
/** The secret of a gateway's address as it is kept: RADIUS needs it as it is. */
export const encryptGatewaySecret = ({ keys }: Keyed, address_id: string, secret: string) => keys.encrypt(placeOf(address_id), secret)
/** It again; one from before they were encrypted is in clear. Throws SecretKeysMissing. */
export const decryptGatewaySecret = ({ keys }: Keyed, address_id: string, kept: string) =>
  isEncrypted(kept) ? keys.decrypt(placeOf(address_id), kept) : kept

/** `legacy`: may send an Access-Request without Message-Authenticator. `coa_port`: where it takes Disconnect-Requests, 3799 unless given. */
export type NewAddress = { address: string; secret: string; legacy?: boolean; coa_port?: number }

/** One more address for a gateway, and its id; null when a gateway has it already. */
export async function insertAddress(tx: Tx, gateway_id: string, { secret, ...address }: NewAddress, at: Date): Promise<string | null> {
  const id = newId('gateway_address', at.getTime())
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('gateway_address')
    .values({ id, gateway_id, ...address, secret: encryptGatewaySecret(tx, id, secret), created_at: at, secret_changed_at: at })
    .onConflict((conflict) => conflict.column('address').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 0n ? null : id
}

/** A gateway with its first address, and its id; null when another has the address already. */
export async function insertGateway(tx: Tx, { name, ...first }: NewAddress & { name: string }, at: Date): Promise<string | null> {
  const id = newId('gateway', at.getTime())
  await tx.insertInto('gateway').values({ id, name, created_at: at }).execute()
  if (await insertAddress(tx, id, first, at)) return id
  await tx.deleteFrom('gateway').where('id', '=', id).execute()
  return null
}

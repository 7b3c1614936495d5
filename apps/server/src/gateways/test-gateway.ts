import { newId } from '@masthead/contract/kernel/id'
import type { TestDb } from '@masthead/testkit/test-database'

type Given = {
  id?: string
  name?: string
  address: string
  secret?: string
  legacy?: boolean
  coa_port?: number
  heard_at?: Date | null
  created_at?: Date
}

/** Sessions that began since are ours to count. */
const longAgo = new Date('2020-01-01')

/** A gateway with one address (`created_at` is of that); its secret is kept in clear, as before there were keys. */
export async function putGateway(
  db: TestDb,
  { id = newId('gateway'), name = 'Test gateway', heard_at = null, secret = 's', ...at }: Given
) {
  const address_id = newId('gateway_address')
  await db
    .insertInto('gateway')
    .values({ id, name, created_at: longAgo })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db
    .insertInto('gateway_address')
    .values({ id: address_id, gateway_id: id, secret, heard_at, created_at: longAgo, ...at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return { gateway_id: id, address_id }
}

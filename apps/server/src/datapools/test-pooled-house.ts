import { addPoolAssets, getDataPool } from '@masthead/contract/datapools/operations'
import { encodeReply } from '@masthead/radius/authenticator'
import { codes, decode, type Packet } from '@masthead/radius/packet'
import { type MeteredHouse, openMeteredHouse, type TestSim } from '../metering/test-network.ts'

export const blocksOf = async (house: MeteredHouse, ...sims: TestSim[]) => {
  const rows = await house.db.selectFrom('sim').select(['id', 'blocks']).execute()
  return sims.map(({ id }) =>
    rows
      .find((row) => row.id === id)!
      .blocks.map(({ code }) => code)
      .join()
  )
}
/** At noon: a pool begins at midnight, and what was used before is not taken from it. */
export async function openPooledHouse() {
  const house = await openMeteredHouse()
  house.clock.set('2026-11-20T12:00:00Z')
  return house
}
export const week = { validity_count: 7, validity_unit: 'day' as const }
/** The gateway confirms every Disconnect-Request. */
export const confirmCuts = (house: MeteredHouse) =>
  house.coa.on('message', (datagram, from) => {
    house.coa.send(encodeReply(decode(datagram) as Packet, codes.disconnect_ack, {}, Buffer.from('secret')), from.port, from.address)
  })
export const poolOf = async (house: MeteredHouse, pool_id: string) => (await house.owner.call(getDataPool, { params: { pool_id } })).body
export const join = (house: MeteredHouse, pool_id: string, sims: TestSim[]) =>
  house.owner.call(addPoolAssets, { params: { pool_id }, body: { assets: sims.map(({ asset_id }) => asset_id) } })

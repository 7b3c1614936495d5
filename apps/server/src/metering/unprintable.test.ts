import { expect, test } from 'vitest'
import { openMeteredHouse, packetOf } from './test-network.ts'

/** 253 octets that no text has, in an order that nothing makes shorter. */
function noise(seed: number): string {
  let state = seed
  const next = () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31)
  return Array.from({ length: 253 }, () => `\\x${(128 + ((next() >> 16) % 128)).toString(16)}`).join('')
}

test('names of octets that cannot be printed, as long as they may be, hold up nobody', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  for (const seed of [1, 2, 1]) {
    const names = { nas_identifier: noise(seed), acct_session_id: noise(seed + 10), user_name: noise(seed + 20) }
    const odd = { acct_status_type: 3, acct_session_time: 60, acct_input_octets: 5, ...names }
    await Promise.all([house.client.account(odd), house.client.account(packetOf(sim, 'interim', { id: `s${seed}`, time: 60, up: 100 }))])
  }
  const rows = await house.db.selectFrom('quarantine').select(['kind', 'packets', 'user_name', 'identity']).orderBy('packets').execute()
  expect(rows.map(({ kind, packets, user_name }) => ({ kind, packets, user_name }))).toEqual([
    { kind: 'unknown', packets: 1, user_name: noise(22) },
    { kind: 'unknown', packets: 2, user_name: noise(21) },
  ])
  for (const { identity } of rows) expect(identity.length).toBeLessThanOrEqual(200)
  expect((await house.sessionsOf(sim)).reduce((sum, { bytes_up }) => sum + bytes_up, 0)).toBe(200)
  // With the number of a known SIM they are a session as any other.
  await house.client.account({ ...packetOf(sim, 'interim', { id: noise(3), time: 60, up: 7 }), nas_identifier: noise(4) })
  expect((await house.sessionsOf(sim)).reduce((sum, { bytes_up }) => sum + bytes_up, 0)).toBe(207)
})

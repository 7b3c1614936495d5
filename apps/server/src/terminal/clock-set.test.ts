import { connect } from 'node:net'
import { once } from 'node:events'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { getTunnel, openTunnel } from '@masthead/contract/terminal/tunnel-operations'
import { Relay } from './relay/relay.ts'
import { endLeft } from './tasks.ts'
import { openTerminalHouse } from './test-terminal.ts'
import { openEcho } from './tunnels/test-echo.ts'

test('a clock that is set ahead by minutes, while the database does not answer, ends neither a terminal nor a tunnel', async () => {
  await using house = await openTerminalHouse()
  using echo = await openEcho()
  const { owner, asset_id, clock } = house
  const { window } = await house.open()
  await window.message('step', ({ step }) => step === 'shell')
  const fields = { port: echo.port, address: null, sources: ['127.0.0.1/32'], minutes: 60 }
  const { body: tunnel } = await owner.call(openTunnel, { params: { asset_id }, body: fields })
  const reached_at = await vi.waitUntil(
    async () => (await owner.call(getTunnel, { params: { tunnel_id: tunnel.id } })).body.reached_at,
    30_000
  )
  const socket = connect(Number(reached_at.split(':')[1]), '127.0.0.1')
  await once(socket, 'connect')
  const sees = async (words: string) => {
    socket.write(words)
    window.type(`echo ${words}-$((40+2))\r`)
    const [back] = (await once(socket, 'data')) as [Buffer]
    await window.shows(`${words}-42`)
    return back.toString()
  }
  expect(await sees('before')).toBe('before')

  const unasked = vi.spyOn(Relay.prototype, 'unasked')
  const passed = vi.spyOn(clock, 'passed')
  await house.db.transaction().execute(async (tx) => {
    await sql`lock table account in access exclusive mode`.execute(tx)
    // Each second neither can be asked, and then it is minutes later.
    for (const times of [1, 2, 3]) {
      await vi.waitFor(() => expect(Math.min(unasked.mock.calls.length, passed.mock.calls.length)).toBeGreaterThanOrEqual(times), 20_000)
      clock.set(new Date(clock.now().getTime() + 5 * 60_000))
    }
  })
  expect(await sees('after')).toBe('after')
  // To the job that ends what nobody holds, until who holds it says so by the new clock.
  clock.set(new Date(clock.now().getTime() + 5 * 60_000))
  await endLeft(house.app)
  expect(await sees('later')).toBe('later')
  socket.destroy()
}, 120_000)

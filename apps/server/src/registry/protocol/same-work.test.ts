import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openHouse, type House } from '@masthead/testkit/house'
import { hearStatements } from '@masthead/testkit/statements'
import { digestOf, newPusher, pushBlob, type Pusher } from '../test-registry.ts'

// What another account has must not be known by time. The times themselves are compared in bench/registry.ts; this compares what is done: the statements that
// the database is asked.

let house: House
let heard: ReturnType<typeof hearStatements>[]
let address: string
let acme: Pusher
let other: Pusher
beforeAll(async () => {
  house = await openHouse()
  heard = house.pools.map((pool) => hearStatements(pool))
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
  acme = await newPusher(house, address, 'Asks')
  other = await newPusher(house, address, 'Has')
  await pushBlob(acme.ask, `${acme.slug}/app`, 'own')
})
afterAll(() => house[Symbol.asyncDispose]())

/** The statements of the registry's tables in some work, of those that read and those that write. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const done: string[][] = []
  const [first, ...others] = heard
  const hear = async (rest: typeof others): Promise<unknown> => {
    const [next, ...more] = rest
    if (!next) return work()
    const { statements } = await next.during(() => hear(more))
    done.push(statements)
  }
  const { statements } = await first!.during(() => hear(others))
  return [statements, ...done].flat().filter((text) => text.includes('registry_'))
}

test.each(['HEAD', 'GET', 'mount', 'mount of theirs', 'manifest'] as const)(
  '%s of what another account has is the same work as of what nobody has',
  async (how) => {
    const blob = randomBytes(1000)
    const elsewhere = await pushBlob(other.ask, `${other.slug}/app`, blob)
    const nowhere = digestOf(randomBytes(1000))
    const ask = (digest: string) => async () => {
      const path = `/v2/${acme.slug}/app`
      const from = how === 'mount' ? `${acme.slug}/app` : `${other.slug}/app`
      const answer = how.startsWith('mount')
        ? await acme.ask(`${path}/blobs/uploads/?mount=${digest}&from=${from}`, { method: 'POST' })
        : await acme.ask(`${path}/${how === 'manifest' ? 'manifests' : 'blobs'}/${digest}`, { method: how === 'manifest' ? 'GET' : how })
      expect(answer.status).toBe(how.startsWith('mount') ? 202 : 404)
    }
    await ask(nowhere)()
    const [none, theirs] = [await statementsOf(ask(nowhere)), await statementsOf(ask(elsewhere))]
    expect(none.length).toBeGreaterThan(0)
    expect(theirs).toEqual(none)
  }
)

test('a push of what another account has asks the database the same, and is answered before the second copy goes', async () => {
  const [theirs, new_] = [randomBytes(1000), randomBytes(1000)]
  await pushBlob(other.ask, `${other.slug}/app`, theirs)
  const statements = async (blob: Buffer) => statementsOf(() => pushBlob(acme.ask, `${acme.slug}/app`, blob))
  await statements(randomBytes(1000))
  const looked = vi.spyOn(house.app.blobs, 'find')
  const nobody = await statements(new_)
  expect(nobody.length).toBeGreaterThan(2)
  expect(looked).toHaveBeenCalledTimes(1)
  expect(await statements(theirs)).toEqual(nobody)
  expect(looked).toHaveBeenCalledTimes(2)
  looked.mockRestore()
})

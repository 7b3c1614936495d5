import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHouse, type House } from '@masthead/testkit/house'
import { digestOf, newPusher, pushBlob, type Pusher } from '../test-registry.ts'

// What another account has must not be told by time. The times themselves are compared in bench/registry.ts; this compares what is done: the statements that
// the database is asked, and how many rows each finds.

let house: House
let address: string
let acme: Pusher
let other: Pusher
beforeAll(async () => {
  house = await openHouse()
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
  acme = await newPusher(house, address, 'Asks')
  other = await newPusher(house, address, 'Has')
  await pushBlob(acme.ask, `${acme.slug}/app`, 'own')
})
afterAll(() => house[Symbol.asyncDispose]())

type Query = (this: unknown, ...given: unknown[]) => unknown

/** The statements of some work with their rows, in order. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const prototype = pg.Client.prototype as unknown as { query: Query }
  const usual = prototype.query
  const seen: string[] = []
  prototype.query = function (...given) {
    const [what] = given as [string | { text?: string } | undefined]
    const text = typeof what === 'string' ? what : (what?.text ?? '')
    const answer = usual.apply(this, given)
    if (text.includes('registry_') && answer instanceof Promise)
      void answer.then(
        ({ rows }: { rows: unknown[] }) => seen.push(`${text} -> ${rows.length}`),
        () => seen.push(`${text} failed`)
      )
    return answer
  }
  try {
    await work()
    await new Promise((resolve) => setImmediate(resolve))
  } finally {
    prototype.query = usual
  }
  return seen
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
  const nobody = await statements(new_)
  expect(nobody.length).toBeGreaterThan(2)
  expect(await statements(theirs)).toEqual(nobody)
})

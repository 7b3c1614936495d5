import { request } from 'node:http'
import { expect, test } from 'vitest'
import { openHouse } from '@masthead/testkit/house'
import { basic, newPusher, ociManifest, pushImage } from '../test-registry.ts'

test('manifests of an account that come at once are kept in memory up to a bound, and others push meanwhile', async () => {
  await using house = await openHouse()
  const address = await house.server.listen({ host: '127.0.0.1', port: 0 })
  const [acme, other] = [await newPusher(house, address, 'Many'), await newPusher(house, address, 'Few')]
  const most = 4 * 1024 * 1024
  /** All but the last byte of a large one. */
  const begin = (n: number) => {
    const outgoing = request(`${address}/v2/${acme.slug}/app/manifests/v${n}`, {
      method: 'PUT',
      headers: { authorization: basic(acme.secret), 'content-type': ociManifest, 'content-length': most },
    })
    const answer = new Promise<number>((resolve) => {
      outgoing.on('response', (got) => resolve(got.resume().statusCode!))
      outgoing.on('error', () => resolve(0))
    })
    outgoing.write(Buffer.alloc(most - 1, ' '))
    return { answer, end: () => outgoing.end(' ') }
  }
  const begun = Array.from({ length: 17 }, (_, n) => begin(n))
  // Sixteen of them and some bytes are within the bound, seventeen are not: one is refused though none is whole.
  expect(await Promise.race(begun.map(({ answer }) => answer))).toBe(429)
  await pushImage(other.ask, `${other.slug}/app`, { tag: 'v1' })
  for (const { end } of begun) end()
  const answers = await Promise.all(begun.map(({ answer }) => answer))
  expect(answers.filter((status) => status === 400).length).toBe(16)
  // What they took is free again.
  for (let n = 0; n < 17; n++) {
    const one = begin(n)
    one.end()
    expect(await one.answer).toBe(400)
  }
  await pushImage(acme.ask, `${acme.slug}/app`, { tag: 'v1' })
})

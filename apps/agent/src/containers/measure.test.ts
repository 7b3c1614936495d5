import { expect, test } from 'vitest'
import { measurer } from './measure.ts'

const one = {
  Id: 'c1',
  Image: 'sha256:x',
  State: { Status: 'exited', ExitCode: 0, StartedAt: '2026-11-25T10:00:00Z' },
  Config: { Image: 'acme/relay:1' },
}
const digest = `sha256:${'ab'.repeat(32)}`

test('a digest that could not be read is asked for again, and one that was is not', async () => {
  const answers = [() => Promise.reject(new Error('engine away')), async () => null, async () => digest]
  let asked = 0
  const measure = measurer({ stats: async () => ({}), digestOf: () => answers[asked++]!() }, () => new Date())
  const said: (string | null)[] = []
  for (let n = 0; n < 5; n++) said.push((await measure(one)).digest)
  expect([said, asked]).toEqual([[null, null, digest, digest, digest], 3])
})

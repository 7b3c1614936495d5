import { expect, test } from 'vitest'
import { TestEngine } from '../test-engine.ts'
import { openEngine } from './engine.ts'

test('of the digests that an image has the one counts that it was asked for by, else the first', async () => {
  await using engine = await new TestEngine().start()
  const { digestOf } = openEngine(engine.socket)
  const [first, second] = ['ab', 'cd'].map((byte) => `sha256:${byte.repeat(32)}`)
  expect(await digestOf('x', second)).toBe(second)
  expect(await digestOf('x', `sha256:${'ef'.repeat(32)}`)).toBe(first)
  expect(await digestOf('x')).toBe(first)
})

test('an image that is in no registry has no digest that another could pull it by', async () => {
  await using engine = await new TestEngine().start()
  const { digestOf } = openEngine(engine.socket)
  for (const none of [null, [], [`localhost/x@sha256:${'ab'.repeat(32)}`]]) {
    engine.repoDigests = none
    expect(await digestOf('x')).toBeNull()
  }
  engine.repoDigests = [`localhost:5000/x@sha256:${'ab'.repeat(32)}`]
  expect(await digestOf('x')).toBe(`sha256:${'ab'.repeat(32)}`)
})

import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from './password.ts'

test('a hash is salted, and right for its own password alone', async () => {
  const [first, second] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])
  expect(first).not.toBe(second)
  expect(await verifyPassword('correct horse', first)).toEqual({ right: true, stale: false })
  expect(await verifyPassword('correct horsf', first)).toEqual({ right: false, stale: false })
})

test('hashes other programs made are read: a vector of the reference implementation', async () => {
  const reference = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'
  expect(await verifyPassword('password', reference)).toEqual({ right: true, stale: true })
  expect(await verifyPassword('Password', reference)).toEqual({ right: false, stale: false })
})

test('nobody’s password is never right', async () => {
  expect(await verifyPassword('', null)).toEqual({ right: false, stale: false })
})

test('the same letters typed on another keyboard are the same password', async () => {
  const composed = 'caf\u00e9 au lait'
  expect((await verifyPassword(composed.normalize('NFD'), await hashPassword(composed))).right).toBe(true)
})

test('the event loop goes on while many hash at once', async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  await Promise.all(Array.from({ length: 12 }, () => hashPassword('x')))
  clearInterval(timer)
  expect(turns).toBeGreaterThan(12)
})

test('with hundreds waiting already, the next is turned away with words', async () => {
  const answers = await Promise.allSettled(Array.from({ length: 260 }, () => hashPassword('x', { memory: 64, passes: 1, parallelism: 1 })))
  const refused = answers.filter((answer) => answer.status === 'rejected')
  expect(refused).toHaveLength(58)
  expect(refused[0]!.reason).toMatchObject({ kind: { code: 'unavailable' }, retryAfter: 2 })
})

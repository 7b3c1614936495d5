import type { FastifyError } from 'fastify'
import { expect, test } from 'vitest'
import { asProblem } from '../http/as-problem.ts'
import { isAway } from './database-away.ts'

const failure = (message: string, code: string) => Object.assign(new Error(message), { code })

test.each(['server conn crashed?', 'query_wait_timeout', 'server login failed: FATAL the database system is starting up'])(
  'a pooler without its server is the database that is away, and a call answers 503: %s',
  (message) => {
    expect(isAway(failure(message, '08P01'))).toBe(true)
    expect(asProblem(failure(message, '08P01') as FastifyError).kind.status).toBe(503)
  }
)

test('a broken protocol is a mistake of ours', () => {
  expect(isAway(failure('invalid message format', '08P01'))).toBe(false)
})

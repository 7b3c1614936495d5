import { once } from 'node:events'
import { expect, test } from 'vitest'
import type { Actor, App } from '../app.ts'
import { countStream } from './open-streams.ts'

const [app, actor] = [{ db: {} } as App, { person_id: 'per_1' } as Actor]

async function* pieces() {
  yield 'one'
}

test('a stream whose reader left before its first piece is open no longer', async () => {
  for (let nth = 0; nth < 30; nth++) {
    const stream = countStream(app, actor)(pieces())
    stream.destroy()
    await once(stream, 'close')
  }
  const read = countStream(app, actor)(pieces())
  expect(await read.toArray()).toEqual(['one'])
  for (let nth = 0; nth < 10; nth++) countStream(app, actor)
  expect(() => countStream(app, actor)).toThrow('At most 10 streams')
})

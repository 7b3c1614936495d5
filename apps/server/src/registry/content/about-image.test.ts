import { expect, test } from 'vitest'
import { imageOf, withoutValues } from './about-image.ts'

test.each([
  ['ENV TOKEN=abc', 'ENV TOKEN=…'],
  ['ENV A=1 B="two words" C=3', 'ENV A=… B=… C=…'],
  ['ENV TOKEN abc def', 'ENV TOKEN …'],
  ['/bin/sh -c #(nop)  ENV PATH=/usr/bin:/bin', '/bin/sh -c #(nop)  ENV PATH=…'],
  ['ARG KEY', 'ARG KEY'],
  ['ARG KEY=secret', 'ARG KEY=…'],
  ['|2 TOKEN=abc OTHER=x y /bin/sh -c make all', '|2 TOKEN=… OTHER=… /bin/sh -c make all'],
  ['RUN |1 TOKEN=abc /bin/sh -c make TARGET=all # buildkit', 'RUN |1 TOKEN=… /bin/sh -c make TARGET=all # buildkit'],
  ['COPY dist /app', 'COPY dist /app'],
])('a line of a build without what it set: %s', (line, words) => {
  expect(withoutValues(line)).toBe(words)
})

test('a configuration that is none, or odd, is shown as far as it goes', () => {
  const nothing = {
    author: '',
    created_at: null,
    entrypoint: [],
    cmd: [],
    env: [],
    exposed_ports: [],
    workdir: '',
    user: '',
    labels: {},
    history: [],
  }
  expect(imageOf({})).toEqual(nothing)
  const odd = {
    author: 3,
    created: 'yesterday',
    config: { Env: 'x', Cmd: [1, 'a\0b'], Labels: ['x'], ExposedPorts: null },
    history: [null, { created_by: 4 }],
  }
  expect(imageOf(odd)).toEqual({
    ...nothing,
    cmd: ['', 'ab'],
    history: [
      { created_by: '', empty: false },
      { created_by: '', empty: false },
    ],
  })
  const { env, created_at } = imageOf({ created: '2026-11-01T10:00:00.123456789Z', config: { Env: ['TOKEN=a=b', 'EMPTY'] } })
  expect({ env, created_at }).toEqual({ env: ['TOKEN', 'EMPTY'], created_at: '2026-11-01T10:00:00.123Z' })
})

test('a time that no answer could hold, and a character that is cut in half, are not kept', () => {
  expect(imageOf({ created: '+012026-01-01T00:00:00Z' }).created_at).toBe(null)
  expect(imageOf({ created: '-000001-01-01T00:00:00Z' }).created_at).toBe(null)
  const { author } = imageOf({ author: `${'x'.repeat(399)}🚚` })
  expect(author).toHaveLength(400)
  expect(author.isWellFormed()).toBe(true)
})

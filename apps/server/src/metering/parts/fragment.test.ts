import { expect, test } from 'vitest'
import { Columns, columnsOf } from './columns.ts'
import { fragment, inOrder, joined, named, parameter } from './fragment.ts'
import { composed } from './part.ts'

test('a parameter has one number wherever it stands, and takes the value of its name', () => {
  const [limit, month] = [parameter('limit'), parameter('month')]
  const when = fragment`month = ${month}::date`
  const statement = named('a', fragment`select ${'x'} from t where n < ${limit} and ${when} or ${joined([when, limit], ' and ')}`)
  expect(statement.text).toBe('select x from t where n < $1 and month = $2::date or month = $2::date and $1')
  expect(inOrder(statement, { month: '2026-11-01', other: '', limit: '7' })).toEqual(['7', '2026-11-01'])
  expect(() => inOrder(statement, { limit: '7' })).toThrow('The statement a is not given month')
})

test('columns stand beside their values, and say how many rows there are', () => {
  const of = columnsOf<{ name: string | null; at: number; is_on: boolean }>()
  const columns = new Columns('row', {
    name: of.text(({ name }) => name),
    at: of.time(({ at }) => at),
    is_on: of.flag(({ is_on }) => is_on),
  })
  const statement = named('b', fragment`select ${columns.names} from ${columns.rows} as r where ${columns.size} > 0`)
  expect(statement.text).toBe(
    'select name, at, is_on from (select unnest($1::text[]) as name, to_timestamp(unnest($2::float8[]) / 1000) as at, unnest($3::boolean[]) as is_on) as r where cardinality($1::text[]) > 0'
  )
  const values = columns.values([
    { name: 'a "b"', at: 1, is_on: true },
    { name: null, at: 2, is_on: false },
  ])
  expect(inOrder(statement, values)).toEqual(['{"a \\"b\\"",NULL}', '{1,2}', '{t,f}'])
})

test('shares of a statement follow one another, so that each may read what those before it bring', () => {
  const first = { with: { one: fragment`select ${parameter('n')}` }, answers: [fragment`select 'stale' from one`] }
  const last = { with: { two: fragment`select from one` }, answers: [fragment`select 'unserved' from two where ${parameter('n')}`] }
  expect(composed('c', [first, undefined, last])).toEqual({
    name: 'c',
    text: `with one as (select $1), two as (select from one) select 'stale' from one union all select 'unserved' from two where $1`,
    parameters: ['n'],
  })
})

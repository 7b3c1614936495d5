import { expect, test } from 'vitest'
import { fieldsOf, parseAssetQuery, type AssetQuery } from './query.ts'

/** A question without its places in the text. */
const plain = (query: AssetQuery): unknown =>
  JSON.parse(JSON.stringify(query, (key, value: unknown) => (key === 'at' || key === 'end' ? undefined : value)))
const read = (text: string) => {
  const { query, mistake } = parseAssetQuery(text)
  return query ? plain(query) : mistake
}

test.each<[string, unknown]>([
  ['', { all: [] }],
  ['lyon tracker', { all: [{ word: 'lyon' }, { word: 'tracker' }] }],
  ['"two words"', { word: 'two words', quoted: true }],
  ['country:pl', { field: 'country', values: [{ is: 'PL' }] }],
  ['operator:26006,260-01', { field: 'operator', values: [{ is: '260-06' }, { is: '260-01' }] }],
  ['type:CORE,"ALPON X4"', expect.objectContaining({ field: 'type' })],
  ['silent:>5d', { field: 'silent', values: [{ over: 432_000 }] }],
  ['silent:2h', { field: 'silent', values: [{ over: 7200 }] }],
  ['usage:<1.5GB', { field: 'usage', values: [{ under: 1_500_000_000 }] }],
  ['limit:none', { field: 'limit', values: [{ is: 'none' }] }],
  ['seen:Never', { field: 'seen', values: [{ is: 'never' }] }],
  ['tag:"lyon depot",b', { field: 'tag', values: [{ is: 'lyon depot' }, { is: 'b' }] }],
  ['status:"Data limit reached"', { at: 0, words: expect.stringContaining('SIM status: use one of inventory') as string }],
  ['block:"data limit reached"', { field: 'block', values: [{ is: 'data_limit' }] }],
  ['fe80::1', { word: 'fe80::1' }],
  ['-tag:a', { not: { field: 'tag', values: [{ is: 'a' }] } }],
  ['not (a or b)', { not: { any: [{ word: 'a' }, { word: 'b' }] } }],
  ['a-b', { word: 'a-b' }],
  ['a or b and c', { any: [{ word: 'a' }, { all: [{ word: 'b' }, { word: 'c' }] }] }],
  [
    'country:PL silent:>5d (block:any or usage:>1GB)',
    {
      all: [
        { field: 'country', values: [{ is: 'PL' }] },
        { field: 'silent', values: [{ over: 432_000 }] },
        {
          any: [
            { field: 'block', values: [{ is: 'any' }] },
            { field: 'usage', values: [{ over: 1e9 }] },
          ],
        },
      ],
    },
  ],
])('%j is read', (text, query) => expect(read(text)).toEqual(query))

test.each([
  ['a or', 2, 'Something to look for is missing at “or”'],
  ['(a', 0, 'This bracket is not closed'],
  ['a)', 1, 'A bracket is closed here that was not opened'],
  ['()', 1, 'Something to look for is missing at “)”'],
  ['x tag:', 2, 'Tag: a value is missing'],
  ['colour:red', 0, 'Nothing can be asked by “colour”'],
  ['silent:soon', 0, 'Silent for: write it like >5d'],
  ['limit:much', 0, 'Data limit: write it like >1GB, or none'],
  ['country:Poland', 0, 'Country: write it like PL'],
  ['"open', 0, 'A quotation mark is missing'],
  ['usage:>999999999999TB', 0, 'Usage this month: write it like >1GB'],
])('%j is refused at %i: %s', (text, at, words) => {
  expect(read(text)).toEqual({ at, words: expect.stringContaining(words) as string })
})

test('what is too long, too deep or too much is refused', () => {
  expect(read('a'.repeat(2001))).toMatchObject({ words: 'Use at most 2000 characters' })
  expect(read('('.repeat(12) + 'a' + ')'.repeat(12))).toMatchObject({ words: 'Use at most 10 brackets or “not” in each other' })
  expect(read('not '.repeat(12) + 'a')).toMatchObject({ words: 'Use at most 10 brackets or “not” in each other' })
  expect(read('a '.repeat(101))).toMatchObject({ words: 'Use at most 100 words and conditions' })
})

test('the fields of a question', () => {
  const { query } = parseAssetQuery('a (tag:x or not country:PL) usage:>1MB')
  expect([...fieldsOf(query!)]).toEqual(['tag', 'country', 'usage'])
})

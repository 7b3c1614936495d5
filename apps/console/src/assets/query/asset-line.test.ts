import { expect, test } from 'vitest'
import { withCondition } from '../../kit/query-line.ts'
import { assetLine } from './asset-line.ts'

const chips = (text: string) => assetLine.read(text).conditions.map(({ label, value }) => `${label}: ${value}`)

test.each([
  ['lyon tracker', []],
  ['country:pl lyon silent:>5d', ['Country: PL', 'Silent for: more than 5 days']],
  ['block:any', ['Blocked because: Any reason']],
  ['usage:<1.5gb seen:never', ['Usage this month: less than 1.5 GB', 'Last seen: Never']],
  ['silent:90m tag:"lyon depot",b', ['Silent for: more than 90 minutes', 'Tag: lyon depot, b']],
  ['block:any or usage:>1GB', []],
])('%j has the chips %j', (text, words) => expect(chips(text)).toEqual(words))

test('a mistake is said, and nothing is shown of it', () => {
  expect(assetLine.read('country:')).toMatchObject({ mistake: 'Country: a value is missing', conditions: [] })
})

test.each([
  ['lyon', 'block', ['any'], 'lyon block:any'],
  ['lyon block:any silent:>5d', 'block', ['staff', 'pool_exhausted'], 'lyon block:staff,pool_exhausted silent:>5d'],
  ['lyon block:any silent:>5d', 'block', [], 'lyon silent:>5d'],
  ['lyon or paris', 'block', ['any'], '(lyon or paris) block:any'],
  ['', 'tag', ['lyon depot'], 'tag:"lyon depot"'],
])('%j with %s of %j is %j', (text, key, values, after) => expect(withCondition(assetLine, text, key, values)).toBe(after))

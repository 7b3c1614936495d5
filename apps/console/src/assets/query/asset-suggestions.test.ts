import { expect, test } from 'vitest'
import { suggestAssets } from './asset-suggestions.ts'

const known = { tags: ['cold chain', 'lyon'], groups: ['Default'], operators: [{ code: '260-06', name: 'Play' }] }
const labels = (text: string) => suggestAssets(text, text.length, known).map(({ label }) => label)
const taken = (text: string, nth = 0) => {
  const { from, to, insert } = suggestAssets(text, text.length, known)[nth]!
  return text.slice(0, from) + insert + text.slice(to)
}

test.each([
  ['op', ['operator:']],
  ['country:PL s', ['status:', 'state:', 'silent:', 'seen:']],
  ['country:po', ['PL', 'PT', 'PF']],
  ['operator:pl', ['260-06']],
  ['tag:co', ['cold chain']],
  ['(group:d', ['Default']],
  ['-block:imei', ['imei_mismatch']],
  ['lyon depot', []],
  ['"two wor', []],
  ['', []],
  ['colour:r', []],
])('%j is followed by %j', (text, expected) => expect(labels(text)).toEqual(expect.arrayContaining(expected)))

test('what is taken stands in its place, with quotation marks where it has blanks', () => {
  expect(taken('country:PL op')).toBe('country:PL operator:')
  expect(taken('tag:co')).toBe('tag:"cold chain" ')
  expect(taken('tag:lyon,co')).toBe('tag:lyon,"cold chain" ')
  expect(taken('country:pol')).toMatch(/^country:[A-Z]{2} $/)
})

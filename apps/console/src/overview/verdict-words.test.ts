import { describe, expect, test } from 'vitest'
import { awaitedWords, headline, isFewer, reasonsOf, unseenWords, usualWords, type Verdict } from './verdict-words.ts'

const verdict = (more: Partial<Verdict>): Verdict => ({
  at: '2026-11-21T14:31:48.000Z',
  judged_until: '2026-11-21T14:00:00.000Z',
  should: 20_000,
  works: 19_712,
  blocked: 11,
  refused: 270,
  silent: 7,
  unseen: 0,
  usual: { from: 19_650, to: 19_800, weeks: 4 },
  awaited: null,
  not_counted: [],
  ...more,
})

describe('the sentence', () => {
  test.each([
    [{}, '19,712 of 20,000 SIMs that should work do, as usual.'],
    [{ works: 19_649 }, '19,649 of 20,000 SIMs that should work do, fewer than usual.'],
    [{ usual: null }, '19,712 of 20,000 SIMs that should work do.'],
    [{ works: 20_000 }, 'All 20,000 SIMs that should work do, as usual.'],
    [{ should: 1, works: 1, usual: null }, '1 of 1 SIM that should work does.'],
    [{ should: 0, works: 0, usual: null }, 'No SIM should work now.'],
    [{ works: null, silent: null, usual: null }, '20,000 SIMs should work. Whether they do is not known yet.'],
  ])('%j', (more, words) => expect(headline(verdict(more))).toBe(words))

  test('what is usual, and what is not known of it', () => {
    expect(usualWords(verdict({}))).toBe('On this weekday at this hour, 19,650 to 19,800 is usual.')
    expect(usualWords(verdict({ usual: { from: 7, to: 7, weeks: 2 } }))).toBe('On this weekday at this hour, 7 is usual.')
    expect(usualWords(verdict({ usual: null }))).toBe('What is usual at this hour is known after two weeks.')
  })

  test('what a feed has not reported yet is shown, and is no silence', () => {
    expect(awaitedWords(verdict({}))).toBeNull()
    expect(awaitedWords(verdict({ awaited: { sims: 1, until: '2026-11-21T11:00:00.000Z' } }))).toMatch(
      /^1 SIM is reported by a feed, which has come to 21 Nov, \d\d?:00 [AP]M: whether it is silent since is not known\.$/
    )
  })

  test('what was never seen is counted by itself', () => {
    expect(unseenWords(verdict({}))).toBeNull()
    expect(unseenWords(verdict({ unseen: 1 }))).toBe('1 was never seen.')
    expect(unseenWords(verdict({ unseen: 10_000 }))).toBe('10,000 were never seen.')
  })

  test('more than usual is no trouble, and what is not known is neither', () => {
    expect(isFewer(verdict({ works: 20_000 }))).toBe(false)
    expect(isFewer(verdict({ works: null }))).toBeNull()
  })

  test('reasons lead to the SIMs that they count; those of none are left out', () => {
    expect(reasonsOf(verdict({ blocked: 0, silent: null })).map(({ state, count, to }) => [state, count, to])).toEqual([
      ['refused', 270, '/assets?attention=refused'],
    ])
  })
})

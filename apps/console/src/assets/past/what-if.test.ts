import { describe, expect, it } from 'vitest'
import { poolWith } from './what-if.ts'

const now = Date.parse('2026-11-16T00:00:00Z')
const gigabyte = 1e9
const days = Array.from({ length: 15 }, (_, nth) => ({
  day: `2026-11-${String(nth + 1).padStart(2, '0')}`,
  bytes: gigabyte,
  overage_bytes: 0,
}))
const pool = (size: number, runsOut: string | null) => ({
  name: 'Europe',
  term_start: '2026-11-01T00:00:00Z',
  term_end: '2026-12-01T00:00:00Z',
  size_bytes: size * gigabyte,
  used_bytes: 15 * gigabyte,
  days,
  forecast: runsOut === null ? null : ({ runs_out: { earliest: runsOut, expected: runsOut, latest: runsOut } } as never),
})

describe('a pool with one more SIM', () => {
  it('says that it lasts without it, where it does', () => {
    const words = poolWith(pool(35, null), gigabyte, now)
    expect(words).toMatch(/^Data pool Europe would run out on .+ with this SIM in it\. Without it, it lasts until its term ends on /)
  })
  it('says how much sooner it would run out', () => {
    expect(poolWith(pool(25, '2026-11-26T00:00:00Z'), gigabyte, now)).toMatch(
      /^Data pool Europe would run out on .+, 5 d sooner than without it\.$/
    )
  })
  it('says that a SIM that uses nothing changes nothing', () => {
    expect(poolWith(pool(25, '2026-11-26T00:00:00Z'), 0, now)).toMatch(
      /^Data pool Europe would run out on .+, as it would without this SIM\.$/
    )
  })
})

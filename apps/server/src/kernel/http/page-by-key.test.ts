import { openHouse } from '@masthead/testkit/house'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pageByKey } from './page-by-key.ts'
import { encodeCursor } from './paging.ts'

let house: Awaited<ReturnType<typeof openHouse>>
beforeAll(async () => {
  house = await openHouse()
  // Of one moment to the microsecond, so that the second key decides.
  await sql`insert into refused_sender (address, kind, packets, first_at, last_at)
    select ('198.51.100.' || n)::inet, 'unknown_address', n, '2026-01-01T00:00:00.000001Z', '2026-01-01T00:00:00.000001Z'::timestamptz + (n / 6) * interval '1 microsecond'
    from generate_series(1, 11) n`.execute(house.db)
})
afterAll(() => house[Symbol.asyncDispose]())

const list = (query: { page?: number; page_size?: number; after?: string }, order: 'asc' | 'desc' = 'desc') =>
  pageByKey(
    house.app.db,
    { page: 1, page_size: 4, ...query },
    {
      name: 'senders',
      all: house.app.db.selectFrom('refused_sender'),
      keys: [
        { of: sql.ref('last_at'), is: 'time' },
        { of: sql.ref('address'), is: 'address' },
      ],
      order,
      rows: (page) => page.select('packets'),
      items: (rows) => rows,
    }
  )

test.each(['asc', 'desc'] as const)('every row is on one page, in order (%s), each page by the place of the one before', async (order) => {
  const seen: number[] = []
  const totals: unknown[] = []
  for (let after: string | null | undefined; after !== null;) {
    const page = await list(after === undefined ? {} : { after }, order)
    expect(page.items.every((row) => Object.keys(row).join() === 'packets')).toBe(true)
    seen.push(...page.items.map(({ packets }) => packets))
    totals.push([page.total, page.total_capped])
    after = page.next
  }
  const ascending = Array.from({ length: 11 }, (_, i) => i + 1)
  expect(seen).toEqual(order === 'asc' ? ascending : ascending.toReversed())
  expect(totals).toEqual([
    [11, false],
    [11, false],
    [11, false],
  ])
})

test('the total of a page by number is that of the list, also on the last page and beyond it', async () => {
  for (const page of [1, 3, 4]) expect((await list({ page })).total).toBe(11)
  expect((await list({ page: 4 })).items).toEqual([])
})

test.each([
  ['another list', ['others', '2026-01-01T00:00:00Z', '198.51.100.1']],
  ['too few keys', ['senders', '2026-01-01T00:00:00Z']],
  ['too many', ['senders', '2026-01-01T00:00:00Z', '198.51.100.1', 'more']],
  ['no time', ['senders', 'yesterday', '198.51.100.1']],
  ['no address', ['senders', '2026-01-01T00:00:00Z', "198.51.100.1'; --"]],
])('a place of %s is refused', async (_, place) => {
  await expect(list({ after: encodeCursor(place) })).rejects.toMatchObject({ kind: { code: 'invalid_request' } })
})

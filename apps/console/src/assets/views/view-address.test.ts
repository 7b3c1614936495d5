import { expect, test } from 'vitest'
import { isAsKept, keptOf, viewAddress } from './view-address.ts'

const filters = [{ key: 'tag', label: 'Tag', multiple: true, options: [{ value: 'tag_1', label: 'cold chain' }] }]

test('filters beside the line are written into it', () => {
  const params = new URLSearchParams(
    'search=a or b&tag=tag_1&sim_status=active&sim_status=blocked&online=false&sort=-usage&columns=type&columns=imsi'
  )
  expect(keptOf(params, filters)).toEqual({
    q: '(a or b) tag:"cold chain" status:active,blocked connection:offline',
    sort: '-usage',
    columns: ['type', 'imsi'],
  })
})

test('a view is where its address leads', () => {
  const kept = { q: 'country:PL silent:>5d', sort: 'name' as const, columns: ['type'] }
  const address = viewAddress({ id: 'viw_1', ...kept })
  expect(isAsKept(kept, keptOf(new URLSearchParams(address.split('?')[1]), []))).toBe(true)
  expect(isAsKept(kept, keptOf(new URLSearchParams(), []))).toBe(false)
})

import { expect, test } from 'vitest'
import { orderOf, orders, prioritiesOf } from './interface-order.ts'

test('each order is read from the priorities that it is sent as', () => {
  expect(orders.map(({ value }) => orderOf(prioritiesOf(value)))).toEqual(orders.map(({ value }) => value))
  expect(prioritiesOf('EWC')).toEqual({ TYPE_E: 10, TYPE_W: 30, TYPE_C: 50, TYPE_X: 70 })
  expect(orders[3]).toEqual({ value: 'EWC', label: 'Ethernet, Wi-Fi, Cellular' })
})

test('priorities by interface, or of some types alone, are no order', () => {
  for (const none of [undefined, null, 'E', {}, { wwan0: 10, eth0: 20 }, { TYPE_C: 10, TYPE_E: '20', TYPE_W: 30 }])
    expect(orderOf(none)).toBeNull()
})

import { expect, test } from 'vitest'
import { clock, findIn, readCast, sizeOf } from './cast.ts'

const recorded = readCast(
  [
    '{"version":2,"width":90,"height":30,"title":"Truck"}',
    '[0.5,"o","$ \\u001b[32mdoc"]',
    '[0.6,"o","ker\\u001b[0m ps"]',
    '[0.7,"masthead.bytes","AA=="]',
    '[1.2,"i","reboot"]',
    '[61,"r","100x40"]',
    '[62,"o","hal',
  ].join('\n')
)

test('a recording is read, also one whose end is missing', () => {
  expect(recorded).toMatchObject({ size: { cols: 90, rows: 30 }, title: 'Truck', length: 61 })
  expect(recorded.events.map(({ kind }) => kind)).toEqual(['o', 'o', 'i', 'r'])
  expect(sizeOf('100x40')).toEqual({ cols: 100, rows: 40 })
  expect(clock(61.9)).toBe('01:01')
})

test('a text is found across pieces and colours, in what was shown and in what was typed', () => {
  expect(findIn(recorded, 'Docker')).toEqual([1])
  expect(findIn(recorded, 'reboot')).toEqual([2])
  expect(findIn(recorded, 'nothing')).toEqual([])
  expect(findIn(recorded, '')).toEqual([])
})

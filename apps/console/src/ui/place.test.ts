import { describe, expect, test } from 'vitest'
import { placeBeside } from './place.ts'

const window = { width: 400, height: 300 }
const anchor = { left: 100, top: 100, width: 60, height: 20 }
const popup = { width: 100, height: 50 }

describe('placeBeside', () => {
  test.each([
    ['below, at its start', anchor, { side: 'bottom', align: 'start' }, { left: 100, top: 126 }],
    ['below, at its end', anchor, { side: 'bottom', align: 'end' }, { left: 60, top: 126 }],
    ['above, in the middle', anchor, { side: 'top', align: 'center' }, { left: 80, top: 44 }],
    ['turned up where there is no room below', { ...anchor, top: 260 }, { side: 'bottom', align: 'start' }, { left: 100, top: 204 }],
    ['turned down where there is no room above', { ...anchor, top: 10 }, { side: 'top', align: 'start' }, { left: 100, top: 36 }],
    ['pushed in from the right edge', { ...anchor, left: 350 }, { side: 'bottom', align: 'start' }, { left: 292, top: 126 }],
    ['pushed in from the left edge', { ...anchor, left: 0 }, { side: 'bottom', align: 'end' }, { left: 8, top: 126 }],
    ['to the right', anchor, { side: 'right', align: 'start' }, { left: 166, top: 85 }],
    ['to the left where there is no room', { ...anchor, left: 320 }, { side: 'right', align: 'start' }, { left: 214, top: 85 }],
  ] as const)('%s', (_name, at, how, expected) => expect(placeBeside(at, popup, window, how)).toEqual(expected))
})

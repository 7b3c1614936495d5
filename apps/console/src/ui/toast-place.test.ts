import { expect, test } from 'vitest'
import { toastPlace } from './toast-place.ts'

const view = { width: 1280, height: 800 }
const size = { width: 340, height: 80 }
const box = (left: number, top: number, width = 100, height = 32) => ({ left, top, right: left + width, bottom: top + height })

test('toasts stand in the corner at the bottom right', () => {
  expect(toastPlace(size, view, [])).toEqual({ left: 924, top: 704 })
})

test('not over a button there: on the other side, or at the top', () => {
  expect(toastPlace(size, view, [box(1150, 740)])).toEqual({ left: 16, top: 704 })
  expect(toastPlace(size, view, [box(0, 700, 1280, 100)])).toEqual({ left: 924, top: 60 })
})

test('between them where the edges are taken, and over the fewest where each place has a control', () => {
  const edges = [box(0, 600, 1280, 200), box(0, 0, 1280, 400)]
  expect(toastPlace(size, view, edges)).toEqual({ left: 924, top: 512 })
  const everywhere = [...edges, box(0, 400, 1280, 200)]
  expect(toastPlace(size, view, [...everywhere, box(1000, 720), box(20, 720)])).toEqual({ left: 470, top: 704 })
})

test('on a telephone they are as wide as it, and go to the top', () => {
  const phone = { width: 360, height: 640 }
  expect(toastPlace({ width: 328, height: 80 }, phone, [box(300, 590, 40)])).toEqual({ left: 16, top: 60 })
})

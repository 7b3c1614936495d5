import { expect, test } from 'vitest'
import { positionWords, readPosition } from './position.ts'

test('a position is read as maps give it, and what is none stays as typed', () => {
  expect(readPosition(' 52.2297, -21.0122 ')).toEqual({ latitude: 52.2297, longitude: -21.0122 })
  expect(readPosition('-8 115.5')).toEqual({ latitude: -8, longitude: 115.5 })
  for (const text of ['', '52.2297', '52,2297, 21,0122', 'Warsaw', '1, 2, 3']) expect(readPosition(text)).toBe(text)
  expect(readPosition(positionWords({ latitude: -0.5, longitude: 180 }))).toEqual({ latitude: -0.5, longitude: 180 })
})

import { expect, test } from 'vitest'
import { phaseName, readPhases } from './rollout-words.ts'

test('phases in per cent and by number of devices are read and named', () => {
  const read = readPhases('1 device; 25 devices, 50%, 100')
  expect(read).toEqual([{ devices: 1 }, { devices: 25 }, 50, 100])
  expect(read.map(phaseName)).toEqual(['1 device', '25 devices', '50 %', '100 %'])
  expect(readPhases('ten, 100,')).toEqual([Number.NaN, 100])
})

import type { Asset } from '@masthead/contract/assets/asset'
import { expect, test } from 'vitest'
import { matchedNumber, wordsIn } from './matched-number.ts'

const asset = {
  name: 'cam-gantry-7',
  serial: 'SN-4711',
  sim: {
    iccid: '8931082017044058835',
    imsi: '262019000000123',
    msisdn: '491701234567',
    imei: null,
    eid: null,
    session: { ip: '10.0.0.9' },
  },
} as unknown as Asset

test.each([
  ['gantry', null],
  ['8931082', null],
  ['000123', { label: 'IMSI', number: '262019000000123' }],
  ['gantry +49-170-123', { label: 'MSISDN', number: '491701234567' }],
  ['sn-47', { label: 'Serial', number: 'SN-4711' }],
  ['10.0.0.9', { label: 'IP', number: '10.0.0.9' }],
  ['country:PL', null],
  ['-000123', null],
])('%s was found by %o', (text, found) => {
  expect(matchedNumber(asset, wordsIn(text))).toEqual(found)
})

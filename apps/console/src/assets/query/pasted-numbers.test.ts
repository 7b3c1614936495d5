import { expect, test } from 'vitest'
import { numbersIn } from './pasted-numbers.ts'

test.each([
  ['8931082017044000001\n8931082017044000002\r\n', ['8931082017044000001', '8931082017044000002']],
  ['ICCID;x\n"8931082017044000001";286010000000001', ['ICCID', 'x', '8931082017044000001', '286010000000001']],
  ['286010000000001, +90 532 000 00 01', ['286010000000001', '+90 532 000 00 01']],
  ['8931082017044000001', null],
  ['lyon, paris', null],
  ['type:core,picolte', null],
  ['operator:26006,26001', null],
])('%j is %j', (text, numbers) => expect(numbersIn(text)).toEqual(numbers))

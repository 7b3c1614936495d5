import { expect, test } from 'vitest'
import { keysOfCsv, wordsOf } from './asset-keys.ts'

test('the column that names the assets, wherever it is and however it is written', () => {
  expect(keysOfCsv('Name,Serial number,Tags\r\n"Truck 1, blue",AX-1,a;b\r\nTruck 2,AX-2,\r\n')).toEqual(['AX-1', 'AX-2'])
  expect(keysOfCsv('\uFEFFname;ICCID\n"a ""b""";8988\n\nc; 8989 \n')).toEqual(['8988', '8989'])
  expect(keysOfCsv('serial\tid\nAX-1\tast_1')).toEqual(['ast_1'])
})

test('without a head that is known the first column, and cells that are empty are left out', () => {
  expect(keysOfCsv('AX-1,Truck\n,Nothing\nAX-2')).toEqual(['AX-1', 'AX-2'])
  expect(keysOfCsv('')).toEqual([])
  expect(wordsOf(' AX-1,\nAX-2; AX-3 ')).toEqual(['AX-1', 'AX-2', 'AX-3'])
})

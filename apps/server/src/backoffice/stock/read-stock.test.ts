import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { readStock } from './read-stock.ts'

const iccid = '8944500001234567890'

async function* pieces(text: string, size = 1e6): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size)
}
const read = (text: string, size?: number) => collect(readStock(pieces(text, size)))
/** Array.fromAsync, which the types of this target do not know. */
async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}
const header = 'type,serial,iccid,imsi,msisdn,eid,imei\n'

const row = {
  line: 2,
  type: 'alpon_x4',
  serial: 'X4-1',
  iccid,
  imsis: ['262011234567890', '90128123456789'],
  msisdn: '4915112345678',
  eid: '89044045930000000000001234567890',
  imei: '356938035643809',
}
const line = `alpon_x4,X4-1,${iccid},262011234567890;90128123456789,+49 151 12345678,${row.eid},356938035643809`

test('a line is read, whatever pieces it comes in', async () => {
  for (const size of [1, 7, 1e6]) expect(await read(`\uFEFF${header}${line}\r\n\r\n${line}`, size)).toEqual([row, { ...row, line: 4 }])
})

test('columns in any order, types by key or label, values in quotes, blanks around and inside numbers', async () => {
  const text =
    ' ICCID , "Type",serial\n "8944 5000 0123 4567 890" ,"CORE Device + Plastic SIM", "A""B" \n8944500001234567890,alpon x4,S-1\n'
  expect(await read(text)).toMatchObject([
    { line: 2, type: 'core', serial: 'A"B', iccid, imsis: [], msisdn: null, eid: null, imei: null },
    { line: 3, type: 'alpon_x4', serial: 'S-1' },
  ])
})

test('a SIM alone has its ICCID for a serial number', async () => {
  expect(await read(`type,iccid\nplastic_sim,${iccid}\n`)).toMatchObject([{ serial: iccid, iccid }])
})

test.each([
  ['x4,S-1,,,,,', '"x4" is not a type: picolte, plastic_sim, core, alpon_x4, alpon_x5_ai, or axis_gw'],
  [',S-1,,,,,', 'The type is missing'],
  ['core,,,,,,', 'The serial number is missing'],
  ['core,ab,,,,,', '"ab" is not a serial number: 3 to 64 characters without blanks'],
  ['core,a b c,,,,,', '"a b c" is not a serial number: 3 to 64 characters without blanks'],
  ['core,Übär,,,,,', '"Übär" is not a serial number: 3 to 64 characters without blanks'],
  ['core,S-1,1234,,,,', '"1234" is not an ICCID: 18 to 20 digits that begin with 89'],
  ['core,S-1,,262011234567890,,,', 'An IMSI needs the ICCID of its SIM'],
  [`core,S-1,${iccid},26201,,,`, '"26201" is not an IMSI: 14 or 15 digits'],
  [`core,S-1,${iccid},262011234567890;262011234567890,,,`, 'An IMSI is there twice'],
  [`core,S-1,${iccid},${Array.from({ length: 11 }, (_, i) => `2620112345678${i + 10}`).join(';')},,,`, 'A SIM has at most 10 IMSIs'],
  ['core,S-1,,,12a,,', '"12a" is not an MSISDN: 5 to 15 digits'],
  ['core,S-1,,,,123,', '"123" is not an EID: 32 digits'],
  ['core,S-1,,,,,123', '"123" is not an IMEI: 14 to 16 digits'],
  ['core,S-1,,', 'The line has 4 values, the header has 7'],
  ['core,S-1,,,,,,,', 'The line has 9 values, the header has 7'],
  ['core,"S-1,,,,,', 'A quote does not end'],
  ['core,S"1,,,,,', 'A quote does not end'],
  [`core,${'x'.repeat(5000)},,,,,`, 'The line is too long'],
  [
    'x4,ab,1,,,,',
    '"x4" is not a type: picolte, plastic_sim, core, alpon_x4, alpon_x5_ai, or axis_gw. "1" is not an ICCID: 18 to 20 digits that begin with 89. "ab" is not a serial number: 3 to 64 characters without blanks',
  ],
])('%s is told, and costs no other line', async (text, words) => {
  expect(await read(`${header}${text}\n${line}\n`)).toEqual([
    { line: 2, words },
    { ...row, line: 3 },
  ])
})

test('of a line without an end little is kept', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const kept = () => {
    collectGarbage()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }
  const before = kept()
  let most = 0
  async function* endless() {
    yield header
    for (let given = 0; given < 50_000_000; given += 100_000) yield Buffer.alloc(100_000, 'x')
    most = kept() - before
  }
  expect(await collect(readStock(endless()))).toEqual([{ line: 2, words: 'The line is too long' }])
  expect(most).toBeLessThan(25_000_000) // of 50 MB; what else runs here moves it by a few
})

test.each([
  ['', 'The file is empty'],
  ['\n\n', 'The file is empty'],
  ['serial,iccid\n', 'The column "type" is missing.'],
  ['type,imsi\n', 'One of the columns "serial" and "iccid" is needed.'],
  ['type,serial,colour\n', 'There is no column "colour".'],
  ['type,serial,serial\n', 'A column is there twice.'],
  ['type;serial\n', 'There is no column "type;serial".'],
])('a file that begins with %j is refused', async (text, words) => {
  await expect(read(text)).rejects.toThrow(words)
})

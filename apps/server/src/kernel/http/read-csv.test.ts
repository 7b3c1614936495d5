import { expect, test } from 'vitest'
import { inPieces, readTable } from './read-csv.ts'

const table = { columns: ['asset', 'name'] as const, key: 'asset' as const, needs: () => [] }

test('millions of lines, empty ones too, let others have a turn', async () => {
  let turns = 0
  let next = setImmediate(function turn() {
    turns++
    next = setImmediate(turn)
  })
  const rows = await Array.fromAsync(
    readTable(inPieces(`asset,name\n${'\n'.repeat(1_000_000)}a,b\r\n\r\n${' \n'.repeat(1000)}c,"d, e"`), table)
  )
  clearImmediate(next)
  expect(rows).toEqual([
    { line: 1_000_002, values: { asset: 'a', name: 'b' } },
    { line: 1_001_004, values: { asset: 'c', name: 'd, e' } },
  ])
  expect(turns).toBeGreaterThan(10)
})

test('a line that is cut by the end of a piece is whole, and one in another encoding is refused', async () => {
  const file = async function* () {
    yield Buffer.from('asset,name\na,')
    yield Buffer.from('Köln').subarray(0, 2)
    yield Buffer.from('Köln').subarray(2)
    yield Buffer.from('\nb,Köln\n', 'latin1')
  }
  expect(await Array.fromAsync(readTable(file(), table))).toEqual([
    { line: 2, values: { asset: 'a', name: 'Köln' } },
    { line: 3, key: 'b', wrong: 'The line is not UTF-8: save the file as CSV UTF-8' },
  ])
})

test('lines of blanks with a quote that does not end are read as fast as others', async () => {
  const [blanks, lines] = [' '.repeat(2000), 2000]
  const file = `asset,name\n${`${blanks}x"${blanks}"\n`.repeat(lines)}a,${blanks}"b" \n`
  const rows = await Array.fromAsync(readTable(inPieces(file), table))
  expect(rows).toHaveLength(lines + 1)
  expect(rows[0]).toEqual({ line: 2, key: '', wrong: 'A quote does not end' })
  expect(rows.at(-1)).toEqual({ line: lines + 2, values: { asset: 'a', name: 'b' } })
}, 30_000)

test('a file in UTF-16 is told from one with other columns, and a NUL costs one line', async () => {
  const bytes = async function* () {
    yield Buffer.from('\ufeffasset,name\na,b\n', 'utf16le')
  }
  await expect(Array.fromAsync(readTable(bytes(), table))).rejects.toThrow('save it as CSV UTF-8')
  expect(await Array.fromAsync(readTable(inPieces('asset,name\na\0,b\nc,d\n'), table))).toEqual([
    { line: 2, key: 'a', wrong: 'The line is not UTF-8: save the file as CSV UTF-8' },
    { line: 3, values: { asset: 'c', name: 'd' } },
  ])
})

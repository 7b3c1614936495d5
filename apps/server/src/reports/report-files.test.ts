import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Value } from '../kernel/http/csv.ts'
import type { Sheet } from '../kernel/sheet.ts'
import { addDays, daysBefore, nextRun, startOfDay } from './days.ts'
import { formats } from './formats.ts'
import { disposition, keyOf, runOf } from './report-key.ts'

const at = new Date('2026-11-25T08:00:00Z')

function sheet(columns: string[], ...parts: Value[][][]): Sheet {
  async function* rows() {
    yield* parts
  }
  return { columns, rows: rows(), share: () => null }
}

async function written(format: keyof typeof formats, of: Sheet): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of formats[format].write(of, at)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The files of a ZIP by its list at the end, as a reader finds them. */
function unzipped(zip: Buffer): Record<string, string> {
  const end = zip.length - 22
  expect(zip.readUInt32LE(end)).toBe(0x0605_4b50)
  const files: Record<string, string> = {}
  for (let at = zip.readUInt32LE(end + 16), n = 0; n < zip.readUInt16LE(end + 10); n++) {
    const [packed, size, name, begins] = [
      zip.readUInt32LE(at + 20),
      zip.readUInt32LE(at + 24),
      zip.readUInt16LE(at + 28),
      zip.readUInt32LE(at + 42),
    ]
    const start = begins + 30 + zip.readUInt16LE(begins + 26)
    const text = inflateRawSync(zip.subarray(start, start + packed))
    expect(text.length).toBe(size)
    files[zip.toString('utf8', at + 46, at + 46 + name)] = String(text)
    at += 46 + name
  }
  return files
}

const odd: Value[] = ['=1+1', 'a "b", <c> & d', 'ü\u0000\u0007', 12, 1e15 + 1, true, null, undefined, '']

describe('formats', () => {
  test('CSV has what a spreadsheet would take for a formula as text', async () => {
    expect(String(await written('csv', sheet(['=x', 'b'], [['=1+1', 2]], [], [['@a', null]])))).toBe("'=x,b\r\n'=1+1,2\r\n'@a,\r\n")
  })

  test('JSON is an array of objects, of none too', async () => {
    const rows = JSON.parse(String(await written('json', sheet(['a', 'b'], [], [['=1', 2]], [[null, true]])))) as unknown
    expect(rows).toEqual([
      { a: '=1', b: 2 },
      { a: null, b: true },
    ])
    expect(JSON.parse(String(await written('json', sheet(['a']))))).toEqual([])
  })

  test('XLSX has text as text, numbers as numbers, and nothing that XML cannot say', async () => {
    const files = unzipped(await written('xlsx', sheet(['one & two'], [odd])))
    expect(Object.keys(files)).toEqual([
      'xl/worksheets/sheet1.xml',
      'xl/workbook.xml',
      'xl/_rels/workbook.xml.rels',
      'xl/styles.xml',
      '_rels/.rels',
      '[Content_Types].xml',
    ])
    const cells = files['xl/worksheets/sheet1.xml']!.split('<row>').at(-1)!
    expect(cells).toContain('<c t="inlineStr"><is><t xml:space="preserve">=1+1</t></is></c>')
    expect(cells).toContain('a &quot;b&quot;, &lt;c&gt; &amp; d')
    expect(cells).toContain('>ü</t>')
    expect(cells).toContain('<c><v>12</v></c>')
    // More digits than a spreadsheet keeps.
    expect(cells).toContain('>1000000000000001</t>')
    expect(cells).toContain('<c t="b"><v>1</v></c>')
  })

  test('XLSX has each cell of its own line, also below one that is the same, in texts of some lines each', async () => {
    const line = (i: number): Value[] => [i, i % 3 === 0 ? 'third' : 'other', i % 2 === 0 ? null : '', i % 5 === 0 ? undefined : true]
    const lines = Array.from({ length: 250 }, (_, i) => line(i))
    const files = unzipped(await written('xlsx', sheet(['a', 'b', 'c', 'd'], lines, [['short'], ...lines])))
    const rows = files['xl/worksheets/sheet1.xml']!.split('<row>').slice(2)
    const text = (i: number) => (i % 3 === 0 ? 'third' : 'other')
    const cells = lines.map(
      (_, i) =>
        `<c><v>${i}</v></c><c t="inlineStr"><is><t xml:space="preserve">${text(i)}</t></is></c><c/>${i % 5 === 0 ? '<c/>' : '<c t="b"><v>1</v></c>'}</row>`
    )
    const short = '<c t="inlineStr"><is><t xml:space="preserve">short</t></is></c></row>'
    expect(rows.map((row) => row.replace('</sheetData></worksheet>', ''))).toEqual([...cells, short, ...cells])
  })

  test('XLSX has another sheet after a million rows, and a reader of ZIP finds it whole', async () => {
    const thousand = Array.from({ length: 1000 }, (_, i): Value[] => [i])
    const parts = Array.from({ length: 1000 }, () => thousand)
    const [exact, more] = [await written('xlsx', sheet(['n'], ...parts)), await written('xlsx', sheet(['n'], ...parts, [[7]]))]
    expect(Object.keys(unzipped(exact)).filter((name) => name.includes('sheet'))).toHaveLength(1)
    const files = unzipped(more)
    expect(files['xl/worksheets/sheet1.xml']!.split('<row>')).toHaveLength(1_000_002)
    expect(files['xl/worksheets/sheet2.xml']!.split('<row>')).toHaveLength(3)
    expect(files['xl/workbook.xml']).toContain('name="Report 2" sheetId="2"')
  })

  test('what fails while it is read fails the file', async () => {
    const failing: Sheet = {
      columns: ['a'],
      share: () => null,
      rows: (async function* () {
        yield [['one']]
        throw new Error('The rows ended')
      })(),
    }
    await expect(written('xlsx', failing)).rejects.toThrow('The rows ended')
  })
})

describe('days', () => {
  test.each([
    ['2026-11-03', 'UTC', '2026-11-03T00:00:00.000Z'],
    ['2026-11-03', 'Europe/Berlin', '2026-11-02T23:00:00.000Z'],
    ['2026-11-03', 'Asia/Kolkata', '2026-11-02T18:30:00.000Z'],
    // Clocks are set forward at midnight: the day begins at one.
    ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
    // Clocks are set back at midnight: the day before is an hour longer.
    ['2026-10-30', 'Africa/Cairo', '2026-10-29T22:00:00.000Z'],
    ['2026-12-31', 'Pacific/Kiritimati', '2026-12-30T10:00:00.000Z'],
  ])('%s in %s begins at %s', (day, zone, start) => expect(startOfDay(day, zone).toISOString()).toBe(start))

  test('a day when clocks change has 23 or 25 hours, and none is in two days', () => {
    const hours = (day: string, zone: string) => (startOfDay(addDays(day, 1), zone).getTime() - startOfDay(day, zone).getTime()) / 3_600_000
    expect([hours('2026-03-29', 'Europe/Berlin'), hours('2026-10-25', 'Europe/Berlin'), hours('2026-10-26', 'Europe/Berlin')]).toEqual([
      23, 25, 24,
    ])
  })

  test('a schedule is of the period before, and runs at its hour also after clocks change', () => {
    expect(daysBefore('day', at, 'Europe/Berlin')).toEqual({ start: '2026-11-24', end: '2026-11-24' })
    expect(daysBefore('week', at, 'UTC')).toEqual({ start: '2026-11-16', end: '2026-11-22' })
    expect(daysBefore('week', new Date('2026-11-22T23:30:00Z'), 'Europe/Berlin')).toEqual({ start: '2026-11-16', end: '2026-11-22' })
    expect(daysBefore('month', new Date('2026-03-01T05:00:00Z'), 'UTC')).toEqual({ start: '2026-02-01', end: '2026-02-28' })
    const run = (every: 'day' | 'week' | 'month', after: string, hour = 6) =>
      nextRun({ kind: 'usage', every, hour, timezone: 'Europe/Berlin' }, new Date(after)).toISOString()
    expect(run('day', '2026-03-28T06:00:00Z')).toBe('2026-03-29T04:00:00.000Z')
    expect(run('day', '2026-10-24T06:00:00Z')).toBe('2026-10-25T05:00:00.000Z')
    expect(run('week', '2026-11-25T08:00:00Z')).toBe('2026-11-30T05:00:00.000Z')
    expect(run('month', '2026-11-25T08:00:00Z')).toBe('2026-12-01T05:00:00.000Z')
    // 02:30 is left out there that night; the run is not.
    expect(run('day', '2026-03-28T12:00:00Z', 2)).toBe('2026-03-29T01:00:00.000Z')
  })

  test.each([
    // At six there it is still the 30th in UTC.
    ['Pacific/Auckland', 6, '2026-12-01T00:00:00.000Z'],
    ['Pacific/Kiritimati', 23, '2026-12-01T09:00:00.000Z'],
    ['America/Los_Angeles', 6, '2026-12-01T14:00:00.000Z'],
  ])('a schedule of costs waits until the days in UTC are over: %s, %i o’clock', (timezone, hour, due) => {
    const of = { kind: 'costs', hour, timezone } as const
    for (const every of ['month', 'day'] as const) {
      const next = nextRun({ ...of, every }, new Date('2026-11-30T15:00:00Z'))
      expect(next.toISOString()).toBe(due)
      expect(daysBefore(every, next, timezone).end).toBe('2026-11-30')
      expect(nextRun({ ...of, every: 'day' }, next).getTime() - next.getTime()).toBe(86_400_000)
    }
  })
})

describe('names of files', () => {
  const of = { format: 'csv' as const, start_day: '2026-11-01', end_day: '2026-11-30', created_at: at }

  test.each([
    ['Usage per SIM', 'attachment; filename="usage-per-sim-2026-11-01-to-2026-11-30.csv"'],
    ['../../etc/passwd', 'attachment; filename="etc-passwd-2026-11-01-to-2026-11-30.csv"'],
    ['"; filename="x.exe', 'attachment; filename="filename-x-exe-2026-11-01-to-2026-11-30.csv"'],
    ['报告', 'attachment; filename="report-2026-11-01-to-2026-11-30.csv"'],
  ])('%s', (name, header) => {
    const [plain, encoded] = disposition({ name, ...of }).split("; filename*=UTF-8''")
    expect(plain).toBe(header)
    expect(encoded).toMatch(/^[\w%.!-]+$/)
    expect(decodeURIComponent(encoded!)).not.toMatch(/[\\/":]/)
  })

  test('a key says whose run it is, and nothing else is one', () => {
    const run = { account_id: 'acc_1', id: 'rep_2', run: 3 }
    expect(runOf(keyOf(run))).toEqual(run)
    for (const key of ['reports/acc_1/rep_2', 'sha256/aa', 'reports/acc_1/rep_2.x']) expect(runOf(key)).toBeNull()
  })
})

test('a program that reads ZIP finds no mistake in it', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'masthead-xlsx-'))
  try {
    writeFileSync(join(dir, 'a.xlsx'), await written('xlsx', sheet(['a', 'b'], [odd, odd])))
    const check = `import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.testzip(), len(z.namelist()))`
    let said
    try {
      said = execFileSync('python3', ['-c', check, join(dir, 'a.xlsx')], { encoding: 'utf8' })
    } catch {
      return // no such program here: the reader above is the proof
    }
    expect(said.trim()).toBe('None 6')
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})

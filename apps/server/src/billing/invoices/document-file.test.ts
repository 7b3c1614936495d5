import { buffer } from 'node:stream/consumers'
import PdfDocument from 'pdfkit'
import { expect, test, vi } from 'vitest'
import { documentFile } from './document-file.ts'
import type { DocumentRow } from './document-queries.ts'

/** What is drawn where, from the left edge to the right one. */
async function drawn(row: DocumentRow) {
  const all: { text: string; from: number; to: number; y: number }[] = []
  // oxlint-disable-next-line typescript/unbound-method -- called with its document
  const { text: draw } = PdfDocument.prototype
  const spy = vi.spyOn(PdfDocument.prototype, 'text').mockImplementation(function (this: PDFKit.PDFDocument, ...given: unknown[]) {
    const [text, x, y] = given as [string, number, number]
    all.push({ text, from: x, to: x + this.widthOfString(text), y })
    return draw.apply(this, given as never)
  } as never)
  try {
    await buffer(documentFile(row))
  } finally {
    spy.mockRestore()
  }
  return all
}

const row: DocumentRow = {
  account_id: 'acc_1',
  id: 'doc_1',
  kind: 'invoice',
  year: 2026,
  n: 7,
  source: '2026-10-01',
  issued_at: new Date('2026-11-04T00:00:00Z'),
  currency: 'USD',
  title: 'October 2026',
  month: '2026-10-01',
  net_micros: 9_007_199_250_000_000,
  tax_micros: 0,
  tax_words: null,
  top_up_id: null,
  seller: 'Masthead AB\nSomewhere 1',
  recipient: {
    company: 'W'.repeat(100),
    address: 'Ö'.repeat(200),
    postal_code: '1'.repeat(20),
    city: 'W '.repeat(50),
    country: 'GS',
    tax_id: 'SE 5566',
  },
  lines: [
    { words: `Data pool ${'W'.repeat(100)}, 1 Oct to 1 Nov`, quantity: '1 term × $9,007,199,250.00', micros: 9_007_199_250_000_000 },
    { words: 'A second line', quantity: null, micros: -1 },
  ],
}

test('the longest names stay within the page, their column and their line', async () => {
  const all = await drawn(row)
  for (const { text, from, to } of all) expect([text, from >= 50, to <= 545.5]).toEqual([text, true, true])
  const table = all.find(({ text }) => text === 'Description')!.y
  const recipient = all.filter(({ from, y }) => from < 380 && y > 140 && y < table)
  expect(Math.max(...recipient.map(({ to }) => to))).toBeLessThan(365)
  expect(recipient.length).toBeGreaterThan(5)
  const amount = all.findLast(({ text }) => text === '$9,007,199,250.00' || text.startsWith('$9'))!
  const first = all.filter(({ text, y }) => y > table && text.includes('WWW'))
  for (const { to } of first) expect(to).toBeLessThan(amount.from)
  expect(all.find(({ text }) => text === 'A second line')!.y).toBeGreaterThan(Math.max(...first.map(({ y }) => y)) + 9)
})

test('nothing that turns the direction of writing, or is no letter, gets into a document', async () => {
  const turned = {
    ...row.recipient,
    company: 'Acme \u202Eevil\u0007 \u0000Ltd\n\rPaid',
    address: 'A\u200Bb\u2028c',
  } as DocumentRow['recipient']
  const text = (await drawn({ ...row, recipient: turned })).map((each) => each.text).join('|')
  expect(text).toContain('Acme evil Ltd Paid')
  // oxlint-disable-next-line no-control-regex -- it is what is looked for
  expect(text).not.toMatch(/[\u0000-\u001f\u200b\u2028\u202e]/)
})

import { createRequire } from 'node:module'
import type { Readable } from 'node:stream'
import PdfDocument from 'pdfkit'
import { documentKinds, documentNumber } from '@masthead/contract/billing/invoices/document'
import { addressWords } from '@masthead/contract/billing/invoices/profile'
import { formatMoney, micros, type Currency } from '@masthead/contract/billing/money'
import { formatDay } from '@masthead/contract/kernel/time'
import type { DocumentRow } from './document-queries.ts'
import type { DocumentLine } from './tables.ts'

const { resolve } = createRequire(import.meta.url)
const weights = { plain: 400, strong: 600 } as const
type Weight = keyof typeof weights
/** Each file has the letters of some scripts; the first that has a letter draws it. */
const scripts = ['latin', 'latin-ext', 'cyrillic', 'greek', 'vietnamese'] as const
type Script = (typeof scripts)[number]

const fontFile = (script: Script, weight: Weight) => resolve(`@fontsource/inter/files/inter-${script}-${weights[weight]}-normal.woff`)

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })
const margin = 50
const right = 595 - margin
const bottom = 842 - 90
const grey = '#5f6a66'

/** An issued document as PDF, A4: the same bytes each time, as all that is in it is kept. */
export function documentFile(row: DocumentRow): Readable {
  const number = documentNumber(row.kind, row.year, row.n)
  const title = `${documentKinds[row.kind]} ${number}`
  const pdf = new PdfDocument({
    size: 'A4',
    margin,
    bufferPages: true,
    info: { Title: title, Author: row.seller.split('\n')[0]!, CreationDate: row.issued_at, ModDate: row.issued_at },
  })
  const pen = penOf(pdf)
  const money = (amount: number) => formatMoney(micros(amount), row.currency as Currency)
  pen.text(documentKinds[row.kind], margin, 50, { size: 22, weight: 'strong' })
  pen.text(number, margin, 80, { size: 11 })
  row.seller.split('\n').forEach((line, i) => pen.text(line, right, 54 + i * 14, { end: true, ...(i > 0 && { color: grey }) }))
  let y = 130
  const paragraph = (label: string, lines: readonly string[], x: number) => {
    pen.text(label, x, y, { color: grey })
    lines.forEach((line, i) => pen.text(line, x, y + 15 + i * 14, { weight: i === 0 ? 'strong' : 'plain' }))
  }
  paragraph('To', recipientLines(row.recipient), margin)
  paragraph('Date', [formatDay(row.issued_at.toISOString()), ...(row.month ? [`For ${row.title}, in UTC`] : [])], 380)
  y = 250
  const head = () => {
    pen.text('Description', margin, y, { color: grey })
    pen.text(`Amount, ${row.currency}`, right, y, { end: true, color: grey })
    y += 18
    pen.rule(y - 4)
  }
  head()
  for (const line of row.lines) {
    if (y > bottom) {
      pdf.addPage()
      y = margin
      head()
    }
    y = drawLine(pen, line, y, money)
  }
  if (y > bottom - 90) {
    pdf.addPage()
    y = margin
  }
  y += 6
  pen.rule(y - 4)
  for (const [label, amount] of [
    ['Total before tax', row.net_micros],
    [row.tax_words ?? 'Tax', row.tax_micros],
    ['Total', row.net_micros + row.tax_micros],
  ] as const) {
    const weight = label === 'Total' ? 'strong' : 'plain'
    pen.text(label, 380, y + 4, { weight })
    pen.text(money(amount), right, y + 4, { end: true, weight })
    y += 18
  }
  pen.text(closing[row.kind], margin, y + 20, { color: grey })
  numberPages(pdf, pen, title)
  pdf.end()
  return pdf as unknown as Readable
}

const closing: Record<DocumentRow['kind'], string> = {
  invoice: 'Paid from the credits of the account. Nothing is due.',
  receipt: 'Paid by card. Nothing is due.',
  credit_note: 'Paid back to the card.',
}

function recipientLines(to: DocumentRow['recipient']): string[] {
  if (to.address === null) return [to.company]
  return [to.company, addressWords(to), countries.of(to.country) ?? to.country, ...(to.tax_id ? [`Tax id ${to.tax_id}`] : [])]
}

function drawLine(pen: Pen, { words, quantity, micros: amount }: DocumentLine, y: number, money: (amount: number) => string): number {
  pen.text(words, margin, y)
  pen.text(money(amount), right, y, { end: true })
  if (quantity === null) return y + 18
  pen.text(quantity, margin, y + 13, { color: grey, size: 9 })
  return y + 31
}

function numberPages(pdf: PDFKit.PDFDocument, pen: Pen, title: string) {
  const { count } = pdf.bufferedPageRange()
  for (let page = 0; page < count; page++) {
    pdf.switchToPage(page)
    // Below the margin, where a page would else be begun.
    pdf.page.margins.bottom = 0
    pen.text(`${title}, page ${page + 1} of ${count}`, margin, 800, { color: grey, size: 9 })
  }
}

type Said = { size?: number; weight?: Weight; color?: string; /** It ends there. */ end?: boolean }
type Pen = ReturnType<typeof penOf>

/** Draws lines of text in any script there are letters for. */
function penOf(pdf: PDFKit.PDFDocument) {
  const use = (script: Script, weight: Weight) => {
    const name = `${script} ${weight}`
    if (!registered.has(name)) pdf.registerFont(name, fontFile(script, weight))
    registered.add(name)
    return pdf.font(name)
  }
  const registered = new Set<string>()
  const covers = (script: Script, weight: Weight, letter: string) => {
    const { font } = (use(script, weight) as unknown as { _font: { font: { hasGlyphForCodePoint: (code: number) => boolean } } })._font
    return font.hasGlyphForCodePoint(letter.codePointAt(0)!)
  }
  const runsOf = (text: string, weight: Weight) => {
    const runs: { script: Script; text: string }[] = []
    for (const letter of text) {
      const script = /[ -~]/.test(letter) ? 'latin' : (scripts.find((each) => covers(each, weight, letter)) ?? 'latin')
      const last = runs.at(-1)
      if (last?.script === script) last.text += letter
      else runs.push({ script, text: letter })
    }
    return runs
  }
  return {
    text(text: string, x: number, y: number, { size = 10, weight = 'plain', color = '#111614', end = false }: Said = {}) {
      const runs = runsOf(text, weight).map((run) => ({ ...run, width: use(run.script, weight).fontSize(size).widthOfString(run.text) }))
      let at = end ? x - runs.reduce((sum, { width }) => sum + width, 0) : x
      for (const run of runs) {
        use(run.script, weight).fontSize(size).fillColor(color).text(run.text, at, y, { lineBreak: false })
        at += run.width
      }
    },
    rule: (y: number) => pdf.moveTo(margin, y).lineTo(right, y).lineWidth(0.5).strokeColor('#c9d1cd').stroke(),
  }
}

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
const secondColumn = 380
const grey = '#5f6a66'
/** From one line to the next. */
const lineHeight = 14
/** What amounts take at the right. */
const amountWidth = 100

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
  /** Answers where it ends. */
  const paragraph = (label: string, lines: readonly string[], x: number, most: number) => {
    pen.text(label, x, y, { color: grey })
    let at = y + 15
    lines.forEach((line, i) => (at += pen.lines(line, x, at, most, { weight: i === 0 ? 'strong' : 'plain' })))
    return at
  }
  const end = paragraph('To', recipientLines(row.recipient), margin, secondColumn - margin - 20)
  paragraph(
    'Date',
    [formatDay(row.issued_at.toISOString()), ...(row.month ? [`For ${row.title}, in UTC`] : [])],
    secondColumn,
    right - secondColumn
  )
  y = Math.max(250, end + 15)
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
    pen.text(label, secondColumn, y + 4, { weight })
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
  pen.text(money(amount), right, y, { end: true })
  const end = y + pen.lines(words, margin, y, right - margin - amountWidth)
  if (quantity === null) return end + 4
  pen.text(quantity, margin, end - 1, { color: grey, size: 9 })
  return end + 17
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

/** What turns the direction of writing, or is no letter at all, would show another name than the one that was entered. */
const visible = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}\p{Z}]+/gu, ' ')

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
  const widthOf = (text: string, size: number, weight: Weight) =>
    runsOf(text, weight).reduce((sum, run) => sum + use(run.script, weight).fontSize(size).widthOfString(run.text), 0)
  /** As lines that are no wider than `most`: broken between words, and within one that is wider by itself. */
  function broken(text: string, most: number, size: number, weight: Weight): string[] {
    const lines = ['']
    for (const word of visible(text).split(' ')) {
      const wider = lines.at(-1) === '' ? word : `${lines.at(-1)} ${word}`
      if (widthOf(wider, size, weight) <= most) {
        lines[lines.length - 1] = wider
        continue
      }
      if (lines.at(-1) !== '') lines.push('')
      for (const letter of word) {
        if (widthOf(lines.at(-1) + letter, size, weight) > most) lines.push('')
        lines[lines.length - 1] += letter
      }
    }
    return lines
  }
  return {
    /** Writes as many lines as it takes, and answers how high they are. */
    lines(text: string, x: number, y: number, most: number, said: Omit<Said, 'end'> = {}): number {
      const lines = broken(text, most, said.size ?? 10, said.weight ?? 'plain')
      lines.forEach((line, i) => this.text(line, x, y + i * lineHeight, said))
      return lines.length * lineHeight
    },
    text(given: string, x: number, y: number, { size = 10, weight = 'plain', color = '#111614', end = false }: Said = {}) {
      const text = visible(given)
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

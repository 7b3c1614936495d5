import { canvasFont, paintAt } from './chart-ink.ts'

export type PictureEntry = { label: string; paint: string; sum?: string }

/** The plot inside `place` as a PNG, with its title above and its series below, on the background of the theme. */
export function chartPicture(place: Element, title: string, entries: readonly PictureEntry[]): Promise<Blob | null> {
  const plot = place.querySelector('canvas')!
  const paint = paintAt(place)
  const dot = devicePixelRatio
  const [edge, head, line] = [16 * dot, 36 * dot, 20 * dot]
  const canvas = document.createElement('canvas')
  const ink = canvas.getContext('2d')!
  canvas.width = plot.width + 2 * edge
  ink.font = canvasFont(dot)
  const rows = wrapped(ink, entries, canvas.width - 2 * edge, dot)
  canvas.height = head + plot.height + rows.length * line + edge
  ink.fillStyle = paint('--bg')
  ink.fillRect(0, 0, canvas.width, canvas.height)
  ink.textBaseline = 'middle'
  ink.fillStyle = paint('--fg')
  ink.font = `600 ${canvasFont(dot * 1.2)}`
  ink.fillText(title, edge, head / 2, canvas.width - 2 * edge)
  ink.drawImage(plot, edge, head)
  ink.font = canvasFont(dot)
  rows.forEach((row, at) => {
    const y = head + plot.height + (at + 0.5) * line
    for (const { entry, x } of row) {
      ink.fillStyle = paint(entry.paint)
      ink.fillRect(edge + x, y - 5 * dot, 10 * dot, 10 * dot)
      ink.fillStyle = paint('--fg-2')
      ink.fillText(wordsOf(entry), edge + x + 16 * dot, y)
    }
  })
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
}

const wordsOf = ({ label, sum }: PictureEntry) => (sum ? `${label} ${sum}` : label)

/** Entries in rows as wide as there is room. */
function wrapped(ink: CanvasRenderingContext2D, entries: readonly PictureEntry[], width: number, dot: number) {
  const rows: { entry: PictureEntry; x: number }[][] = []
  let x = width
  for (const entry of entries) {
    const needs = ink.measureText(wordsOf(entry)).width + 32 * dot
    if (x + needs > width) {
      rows.push([])
      x = 0
    }
    rows.at(-1)!.push({ entry, x })
    x += needs
  }
  return rows
}

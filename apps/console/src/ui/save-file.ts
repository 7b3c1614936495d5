/** Hands a file to the browser to keep. */
export function saveFile(name: string, content: Blob | string, type = 'text/csv') {
  const blob = typeof content === 'string' ? new Blob([content], { type: `${type};charset=utf-8` }) : content
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // The click only starts to read it.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

/** A name for a file out of words: "Data, this month" is data-this-month. */
export const fileName = (words: string, ending: string) =>
  `${
    words
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 80) || 'masthead'
  }.${ending}`

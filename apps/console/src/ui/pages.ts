/** Which page numbers are shown: the first, the last, those around the current one, and `null` for a gap of two or more. */
export function pageNumbers(current: number, count: number, around = 1): (number | null)[] {
  const wanted = new Set([1, count])
  for (let page = current - around; page <= current + around; page++) if (page >= 1 && page <= count) wanted.add(page)
  const shown = [...wanted].filter((page) => page >= 1).sort((a, b) => a - b)
  return shown.flatMap((page, at) => {
    const gap = at === 0 ? 0 : page - shown[at - 1]! - 1
    return gap === 0 ? [page] : gap === 1 ? [page - 1, page] : [null, page]
  })
}

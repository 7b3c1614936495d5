const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** Decimal units, two decimals (spec §5, §9): 1 KB is 1000 B; nothing or not a number reads "0 B". */
export function formatBytes(bytes: number): string {
  if (!Number.isFinite(bytes) || bytes <= 0) return '0 B'
  let step = Math.max(0, Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1))
  // 999.996 KB would read "1000 KB": the next unit says it better.
  if (step < units.length - 1 && Number((bytes / 1000 ** step).toFixed(2)) >= 1000) step++
  return `${Number((bytes / 1000 ** step).toFixed(2))} ${units[step]}`
}

/** From this part of a limit of bytes on, one is near it: bars warn, and the overview counts it. */
export const alertShare = 0.8

const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const

function scaled(bytes: number) {
  if (!Number.isFinite(bytes) || bytes <= 0) return { value: 0, step: 0 }
  let step = Math.max(0, Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1))
  // 999.996 KB would read "1000 KB": the next unit says it better.
  if (step < units.length - 1 && Number((bytes / 1000 ** step).toFixed(2)) >= 1000) step++
  return { value: bytes / 1000 ** step, step }
}

/** Decimal units, two decimals (spec §5, §9): 1 KB is 1000 B; nothing or not a number reads "0 B". */
export function formatBytes(bytes: number): string {
  const { value, step } = scaled(bytes)
  return `${Number(value.toFixed(2))} ${units[step]}`
}

/** The same for columns and live figures: always two decimals, so that points line up and nothing jumps. Whole bytes have none. */
export function formatSteadyBytes(bytes: number): string {
  const { value, step } = scaled(bytes)
  return `${value.toFixed(step === 0 ? 0 : 2)} ${units[step]}`
}

/** From this part of a limit of bytes on, one is near it: bars warn, and the overview counts it. */
export const alertShare = 0.8

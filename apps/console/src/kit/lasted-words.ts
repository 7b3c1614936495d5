/** How long something took, in words; null where it has not begun or not ended. */
export function lastedWords(from: string | null, to: string | null): string | null {
  if (!from || !to) return null
  const s = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000))
  if (s < 60) return `${s} s`
  return s < 3600 ? `${Math.round(s / 60)} min` : `${Math.floor(s / 3600)} h ${Math.round((s % 3600) / 60)} min`
}

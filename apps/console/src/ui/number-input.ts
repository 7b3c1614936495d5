const editing = new Set(['Backspace', 'Delete', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'Tab', 'Enter', 'Escape'])

/** Whether a key may act on a number input that reads `text` (spec §5): digits, one decimal point, editing keys, copy and paste. */
export function numberKeyAllowed(
  key: string,
  text: string,
  { ctrl = false, decimals = 2 }: { ctrl?: boolean; decimals?: number } = {}
): boolean {
  if (ctrl || editing.has(key)) return true
  if (key === '.') return decimals > 0 && !text.includes('.')
  return /^\d$/.test(key)
}

/** Whether pasted text is an optionally negative decimal number (spec §5). */
export const numberPasteAllowed = (text: string) => /^-?\d+(\.\d+)?$/.test(text.trim())

/** What a number input reads after a change: at most `decimals` digits behind the point (spec §5). */
export function cutDecimals(text: string, decimals = 2): string {
  const [whole = '', fraction] = text.split('.')
  if (fraction === undefined) return whole
  return decimals === 0 ? whole : `${whole}.${fraction.slice(0, decimals)}`
}

/** The value within its limits. */
export const clampNumber = (value: number, min = -Infinity, max = Infinity) => Math.min(max, Math.max(min, value))

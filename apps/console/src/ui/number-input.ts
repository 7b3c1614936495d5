const editing = new Set(['Backspace', 'Delete', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Tab'])
// These write nothing: without them a form could not be sent, a dialog closed, or the caret moved.
const silent = new Set(['Home', 'End', 'Enter', 'Escape'])
// A phone's keyboard does not say which key it was; what it wrote is sorted out afterwards.
const unknown = new Set(['Unidentified', 'Process'])
const shortcuts = new Set(['a', 'c', 'v', 'x', 'z', 'y'])

type KeyContext = {
  ctrl?: boolean
  decimals?: number
  /** The part of the text that the key would replace. */
  selected?: string
}

/**
 * Whether a key may act on a number input that reads `text` (spec §5): digits, one decimal point, backspace, delete, arrows, tab, and the
 * shortcuts of copy and paste.
 */
export function numberKeyAllowed(key: string, text: string, { ctrl = false, decimals = 2, selected = '' }: KeyContext = {}): boolean {
  if (ctrl) return shortcuts.has(key.toLowerCase()) || editing.has(key) || silent.has(key)
  if (editing.has(key) || silent.has(key) || unknown.has(key)) return true
  if (key === '.') return decimals > 0 && (!text.includes('.') || selected.includes('.'))
  return /^\d$/.test(key)
}

/** Whether pasted text is an optionally negative decimal number (spec §5). */
export const numberPasteAllowed = (text: string) => /^-?(\d+(\.\d+)?|\.\d+)$/.test(text.trim())

/** Whether what a number input reads can become a number as one types on; more digits than 15 a number cannot keep apart. */
export const isNumberBegun = (text: string) => /^-?\d*\.?\d*$/.test(text) && text.replaceAll(/\D/g, '').length <= 15

/** What a number input reads after a change: at most `decimals` digits behind the point (spec §5: 2). */
export function cutDecimals(text: string, decimals = 2): string {
  const [whole = '', fraction] = text.split('.')
  if (fraction === undefined) return whole
  return decimals === 0 ? whole : `${whole}.${fraction.slice(0, decimals)}`
}

/** The number a text reads; null for none yet. */
export const numberOf = (text: string): number | null => {
  const number = /\d/.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(number) ? number : null
}

/** The value within its limits. */
export const clampNumber = (value: number, min = -Infinity, max = Infinity) => Math.min(max, Math.max(min, value))

/** A step up or down, within the limits, without the dust of floating points. From nothing it begins at zero. */
export const stepNumber = (
  value: number | null,
  by: number,
  { min, max, decimals = 2 }: { min?: number; max?: number; decimals?: number }
) => clampNumber(Number(((value ?? 0) + by).toFixed(decimals)), min, max)

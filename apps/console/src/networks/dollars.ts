/** Whole millionths of a dollar as people write them: "0.0125". */
export const dollars = (micros: number): string => {
  const text = (micros / 1_000_000).toFixed(6).replace(/0+$/, '').replace(/\.$/, '')
  return text.includes('.') ? text : `${text}.00`
}

/** What a person wrote as whole millionths; null when it is no amount with at most six decimals. No fraction passes through a float. */
export function microsOf(text: string): number | null {
  const match = /^(\d{1,6})(?:\.(\d{1,6}))?$/.exec(text.trim())
  return match ? Number(match[1]) * 1_000_000 + Number((match[2] ?? '').padEnd(6, '0')) : null
}

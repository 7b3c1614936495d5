/** Whole numbers in a row. Shorter parts are one number that is written in groups. */
const parted = /^\d{10,}(\s+\d{10,})+$/

/** The numbers of a text that is a list of them: one a line, or parted by commas, semicolons, tabs or, where each is long, blanks. Null where it is something else to search for. */
export function numbersIn(text: string): string[] | null {
  const numbers = text
    .split(/[\n\r,;\t]+/)
    .map((part) => part.replaceAll(/^["'\s]+|["'\s]+$/g, ''))
    .filter(Boolean)
    .flatMap((part) => (parted.test(part) ? part.split(/\s+/) : [part]))
  if (numbers.length < 2 || numbers.some((number) => number.length > 64 || /[:"]/.test(number))) return null
  const withDigits = numbers.filter((number) => number.replaceAll(/\D/g, '').length >= 5)
  return withDigits.length * 2 >= numbers.length ? numbers : null
}

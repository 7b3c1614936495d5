import { compareNumbers, type Version } from './version.ts'

const form = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/

/** By semver.org §11; parts that are left out are 0. */
export function readSemver(text: string): Version | null {
  const found = form.exec(text.trim())
  if (!found) return null
  const numbers = [found[1]!, found[2] ?? '0', found[3] ?? '0']
  const before = found[4]?.split('.') ?? []
  return { kind: 'semver', numbers, before }
}

type Semver = Extract<Version, { kind: 'semver' }>

export function compareSemver(a: Semver, b: Semver): number {
  const numbers = compareNumbers(a.numbers, b.numbers)
  if (numbers !== 0) return numbers
  if (a.before.length === 0 || b.before.length === 0) return b.before.length - a.before.length
  for (const [n, part] of a.before.entries()) {
    const other = b.before[n]
    if (other === undefined) return 1
    const order = comparePart(part, other)
    if (order !== 0) return order
  }
  return a.before.length - b.before.length
}

const isNumber = (part: string) => /^\d+$/.test(part)

function comparePart(a: string, b: string): number {
  if (isNumber(a) && isNumber(b)) return compareNumbers([a], [b])
  if (isNumber(a) !== isNumber(b)) return isNumber(a) ? -1 : 1
  return a < b ? -1 : a > b ? 1 : 0
}

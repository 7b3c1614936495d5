import { compareNumbers, type Version } from './version.ts'

const form = /^(\d+(?:\.\d+)*)([a-z]?)((?:_[a-z]+\d*)*)(?:-r(\d+))?$/
/** What stands before a version that has none of them, and what behind. */
const before = ['alpha', 'beta', 'pre', 'rc']
const behind = ['cvs', 'svn', 'git', 'hg', 'p']

/** As apk compares: numbers, a letter, suffixes, and the build. */
export function readAlpine(text: string): Version | null {
  const [, numbers, letter = '', suffixes = '', build = '0'] = form.exec(text.trim()) ?? []
  if (numbers === undefined) return null
  const read = [...suffixes.matchAll(/_([a-z]+)(\d*)/g)].map(([, name = '', number = '']) => {
    const [early, late] = [before.indexOf(name), behind.indexOf(name)]
    return early < 0 && late < 0 ? null : { order: early < 0 ? late + 1 : early - before.length, number: number || '0' }
  })
  if (read.includes(null)) return null
  return { kind: 'alpine', numbers: numbers.split('.'), letter, suffixes: read as { order: number; number: string }[], build }
}

type Alpine = Extract<Version, { kind: 'alpine' }>

export function compareAlpine(a: Alpine, b: Alpine): number {
  for (let n = 0; n < Math.max(a.numbers.length, b.numbers.length); n++) {
    const [one, other] = [a.numbers[n], b.numbers[n]]
    if (one === undefined || other === undefined) return one === undefined ? -1 : 1
    // Behind the first, one that begins with 0 is a fraction.
    const order =
      n > 0 && (one.startsWith('0') || other.startsWith('0')) ? (one < other ? -1 : one > other ? 1 : 0) : compareNumbers([one], [other])
    if (order !== 0) return order
  }
  if (a.letter !== b.letter) return a.letter < b.letter ? -1 : 1
  for (let n = 0; n < Math.max(a.suffixes.length, b.suffixes.length); n++) {
    const [one, other] = [a.suffixes[n], b.suffixes[n]]
    const order = (one?.order ?? 0) - (other?.order ?? 0) || compareNumbers([one?.number ?? '0'], [other?.number ?? '0'])
    if (order !== 0) return order
  }
  return compareNumbers([a.build], [b.build])
}

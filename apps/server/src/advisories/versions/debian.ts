import { compareNumbers, type Version } from './version.ts'

/** By deb-version(7): epoch, upstream and revision. */
export function readDebian(text: string): Version | null {
  const [, epoch = '0', rest = ''] = /^(?:(\d+):)?([A-Za-z0-9.+~:-]+)$/.exec(text.trim()) ?? []
  if (rest === '') return null
  const dash = rest.lastIndexOf('-')
  return { kind: 'debian', epoch, upstream: dash < 0 ? rest : rest.slice(0, dash), revision: dash < 0 ? '0' : rest.slice(dash + 1) }
}

type Debian = Extract<Version, { kind: 'debian' }>

export const compareDebian = (a: Debian, b: Debian): number =>
  compareNumbers([a.epoch], [b.epoch]) || compareWords(a.upstream, b.upstream) || compareWords(a.revision, b.revision)

/** `~` before the end, the end before letters, letters before all else. */
const weight = (char: string): number => {
  if (char === '~') return -1
  if (char === '') return 0
  return /[A-Za-z]/.test(char) ? char.charCodeAt(0) : char.charCodeAt(0) + 256
}

/** Words and numbers in turn, as dpkg does. */
function compareWords(a: string, b: string): number {
  for (let [i, j] = [0, 0]; i < a.length || j < b.length;) {
    for (; isWord(a[i]) || isWord(b[j]); i++, j++) {
      const order = weight(isWord(a[i]) ? a[i]! : '') - weight(isWord(b[j]) ? b[j]! : '')
      if (order !== 0) return order
    }
    const [numberA, numberB] = [/^\d*/.exec(a.slice(i))![0], /^\d*/.exec(b.slice(j))![0]]
    const order = compareNumbers([numberA || '0'], [numberB || '0'])
    if (order !== 0) return order
    i += numberA.length
    j += numberB.length
  }
  return 0
}

const isWord = (char: string | undefined) => char !== undefined && !/\d/.test(char)

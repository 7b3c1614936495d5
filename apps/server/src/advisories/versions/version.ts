/** Numbers stay text: they may be longer than a number can be. */
export type Version =
  | { kind: 'semver'; numbers: string[]; before: string[] }
  | { kind: 'pypi'; epoch: string; release: string[]; rest: string[]; local: string[] }
  | { kind: 'debian'; epoch: string; upstream: string; revision: string }
  | { kind: 'alpine'; numbers: string[]; letter: string; suffixes: { order: number; number: string }[]; build: string }

/** Numbers of any length, one after the other; those that are missing are 0. */
export function compareNumbers(a: readonly string[], b: readonly string[]): number {
  for (let n = 0; n < Math.max(a.length, b.length); n++) {
    const [one, other] = [BigInt(a[n] ?? '0'), BigInt(b[n] ?? '0')]
    if (one !== other) return one < other ? -1 : 1
  }
  return 0
}

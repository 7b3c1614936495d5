import { compareAlpine, readAlpine } from './alpine.ts'
import { compareDebian, readDebian } from './debian.ts'
import { comparePypi, readPypi } from './pypi.ts'
import { compareSemver, readSemver } from './semver.ts'
import type { Version } from './version.ts'

/** How versions of an ecosystem are read; null: their order is not known here. `Debian:12` is one of Debian. */
export function readerOf(ecosystem: string): ((text: string) => Version | null) | null {
  const [base = ''] = ecosystem.split(':')
  if (['npm', 'Go', 'crates.io', 'Hex', 'Pub'].includes(base)) return readSemver
  if (base === 'PyPI') return readPypi
  if (base === 'Debian') return readDebian
  return base === 'Alpine' ? readAlpine : null
}

/** Of one kind, as the same reader made them. */
export function compareVersions(a: Version, b: Version): number {
  if (a.kind === 'semver' && b.kind === 'semver') return compareSemver(a, b)
  if (a.kind === 'pypi' && b.kind === 'pypi') return comparePypi(a, b)
  if (a.kind === 'debian' && b.kind === 'debian') return compareDebian(a, b)
  if (a.kind === 'alpine' && b.kind === 'alpine') return compareAlpine(a, b)
  throw new Error(`Versions of ${a.kind} and ${b.kind} have no order`)
}

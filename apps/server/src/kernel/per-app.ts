import type { App } from './app.ts'

/**
 * What this process keeps in memory for an app: made when it is first asked for, and the same one from then on. It goes when the app goes, so that
 * tests that share a process share none of it.
 */
export function perApp<Kept>(make: () => Kept): (owner: App | App['db']) => Kept {
  const all = new WeakMap<object, { kept: Kept }>()
  return (owner) => {
    const known = all.get(owner) ?? { kept: make() }
    all.set(owner, known)
    return known.kept
  }
}

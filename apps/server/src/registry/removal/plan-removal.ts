import type { KeptTag } from '@masthead/contract/registry/removal'
import { keysOf, whoNeeds, type Standing, type StandingTag } from './standing.ts'

/** What is to be deleted of a repository: names, and the manifests that go with them. */
export type Removal = { names: string[]; digests: string[] }

/**
 * The manifests that go with some names: those that no other tag names, no index that stays, and of which `keeps` says nothing. What they name as an index goes
 * with them, and what is attached to them, unless something else names that.
 */
export function planRemoval(
  { tags, manifests, parents, attached }: Standing,
  names: readonly string[],
  keeps: (digest: string) => boolean
): Removal {
  const going = new Set(names)
  const named = new Set(tags.filter(({ name }) => !going.has(name)).map(({ digest }) => digest))
  return {
    names: [...names],
    digests: withWhatHangsOn({ manifests, parents, attached }, digestsOf(tags, going), (digest) => named.has(digest) || keeps(digest)),
  }
}

const digestsOf = (tags: readonly StandingTag[], names: ReadonlySet<string>) => [
  ...new Set(tags.filter(({ name }) => names.has(name)).map(({ digest }) => digest)),
]

/** Manifests that go, beginning with some: each takes with it what it names and what is attached to it, if nothing else keeps that. */
export function withWhatHangsOn(
  { manifests, parents, attached }: Pick<Standing, 'manifests' | 'parents' | 'attached'>,
  first: readonly string[],
  stays: (digest: string) => boolean
): string[] {
  const gone = new Set<string>()
  const waiting = [...first]
  for (let digest = waiting.pop(); digest !== undefined; digest = waiting.pop()) {
    const manifest = manifests.get(digest)
    if (!manifest || gone.has(digest) || stays(digest)) continue
    if ((parents.get(digest) ?? []).some((parent) => !gone.has(parent))) continue
    gone.add(digest)
    // One that could not go before, since this named it, is checked again.
    waiting.push(...manifest.children, ...(attached.get(digest) ?? []))
  }
  return [...gone]
}

/** Images that have neither a tag nor anything that they are of: no index names them, and what they are attached to is not there. */
export function withoutTag({ tags, manifests, parents }: Standing): string[] {
  const named = new Set(tags.map(({ digest }) => digest))
  return [...manifests].flatMap(([digest, { subject }]) => {
    const isOf = (parents.get(digest) ?? []).length > 0 || (subject !== null && manifests.has(subject))
    return named.has(digest) || isOf ? [] : [digest]
  })
}

const count = (number: number, noun: string) => `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`

/** Why a tag cannot be deleted whatever is asked; null where it can. */
export function whyFixed({ name, immutable, ...tag }: StandingTag): KeptTag | null {
  if (tag.protected) return { name, code: 'protected', why: 'It is protected' }
  return immutable === null ? null : { name, code: 'immutable', why: `The rule ${immutable} makes it immutable` }
}

/** Why deleting a tag with its image would break something; null where it would not. `inFull`: with what somebody limited to some assets may not know. */
export function whyNeeded(standing: Standing, tag: StandingTag, inFull: boolean): KeptTag | null {
  const { name } = tag
  const keys = keysOf(standing, tag)
  const devices = whoNeeds(standing.devices, keys).size
  if (devices > 0) return { name, code: 'deployed', why: inFull ? `It is deployed on ${count(devices, 'device')}` : 'It is deployed' }
  const [fleet, ...more] = whoNeeds(standing.fleets, keys)
  if (fleet === undefined) return null
  const which = inFull ? `${fleet}${more.length > 0 ? ` and ${more.length} more` : ''}` : 'a fleet'
  return { name, code: 'fleet', why: `It is needed for ${which}` }
}

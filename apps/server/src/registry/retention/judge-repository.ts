import type { JudgedTag, RetentionRule } from '@masthead/contract/registry/retention'
import { patternFor } from '@masthead/contract/registry/removal'
import { withoutSlug } from '../content/immutable.ts'
import { whyFixed, whyNeeded, withoutTag, withWhatHangsOn, type Removal } from '../removal/plan-removal.ts'
import { isNeeded, type Standing, type StandingTag } from '../removal/standing.ts'

const dayMs = 86_400_000

/** The words are made for those that are shown. */
export type Judged = Omit<JudgedTag, 'repository' | 'why'> & { goes: boolean; why: () => string }
type Verdict = Pick<Judged, 'code' | 'why' | 'goes'>

/** Tags of what belongs to an image without naming it as subject: `sha256-….sig`, as signatures have them. */
const belonging = /^sha256-([0-9a-f]{64})(\.[\w.-]+)?$/
const imageOf = (tag: string): string | null => {
  const [, hex] = belonging.exec(tag) ?? []
  return hex === undefined ? null : `sha256:${hex}`
}

const daysWords = (days: number) => (days === 1 ? '1 day' : `${days.toLocaleString('en')} days`)

/** When a tag was last of use: pushed, or its image pulled. */
const lastUse = ({ pushed_at, pulled_at }: { pushed_at: Date; pulled_at: Date | null }) =>
  pulled_at && pulled_at > pushed_at ? pulled_at : pushed_at

/**
 * Which tags of a repository a rule keeps, each with why, and what goes with the others. Nothing but what it is given says so: what a dry run says of a
 * repository is what a run deletes of it.
 */
export function judgeRepository(standing: Standing, rule: RetentionRule, at: Date): { judged: Judged[]; removal: Removal } {
  const own = standing.tags.filter(({ name }) => imageOf(name) === null)
  const likeOf = patternFor(rule.keep_like, withoutSlug(standing.repository.name))
  const verdicts = new Map(
    own.map((tag, place) => [tag.name, judgeTag(standing, rule, tag, { place, of: own.length, like: likeOf(tag.name), at })])
  )
  const others = standing.tags.filter(({ name }) => imageOf(name) !== null)
  for (const tag of others) verdicts.set(tag.name, judgeBelonging(standing, tag, true))
  const old = untagged(standing, rule, at)
  // An image that goes takes what belongs to it with it, which may be an image with something of its own.
  for (;;) {
    const removal = removalOf(standing, verdicts, old)
    const gone = new Set(removal.digests)
    const follow = others.filter((tag) => !verdicts.get(tag.name)!.goes && !isThere(standing, gone, tag, at))
    const changed = follow.map((tag) => [tag.name, judgeBelonging(standing, tag, false)] as const).filter(([, { goes }]) => goes)
    for (const [name, verdict] of changed) verdicts.set(name, verdict)
    if (changed.length === 0)
      return { judged: standing.tags.map(({ name, digest }) => ({ tag: name, digest, ...verdicts.get(name)! })), removal }
  }
}

/** Whether the image of what belongs to one stays; or may still come, which takes no day. */
function isThere({ manifests }: Standing, gone: ReadonlySet<string>, { name, pushed_at }: StandingTag, at: Date): boolean {
  const image = imageOf(name)!
  return manifests.has(image) ? !gone.has(image) : at.getTime() - pushed_at.getTime() < dayMs
}

/** What goes with the tags that go, and with the images that are old without one. */
function removalOf(standing: Standing, verdicts: ReadonlyMap<string, Verdict>, old: readonly string[]): Removal {
  const goes = ({ name }: StandingTag) => verdicts.get(name)!.goes
  const named = new Set(standing.tags.filter((tag) => !goes(tag)).map(({ digest }) => digest))
  const first = standing.tags.filter(goes)
  return {
    names: first.map(({ name }) => name),
    digests: withWhatHangsOn(
      standing,
      [...new Set(first.map(({ digest }) => digest)), ...old],
      (digest) => named.has(digest) || isNeeded(standing, digest)
    ),
  }
}

type Place = { place: number; of: number; like: string | null; at: Date }

function judgeTag(standing: Standing, rule: RetentionRule, tag: StandingTag, { place, of, like, at }: Place): Verdict {
  const { keep_newest, keep_days } = rule
  const stays = (code: Judged['code'], why: () => string): Verdict => ({ goes: false, code, why })
  const fixed = whyFixed(tag) ?? whyNeeded(standing, tag, true)
  if (fixed && fixed.code !== 'unknown') return stays(fixed.code, () => fixed.why)
  if (like !== null) return stays('like', () => `Its name is like ${like}`)
  if (keep_newest === null && keep_days === null) return stays('untouched', () => 'The rule is of images without a tag')
  if (keep_newest !== null && place < keep_newest) return stays('newest', () => `It is number ${place + 1} of the newest ${keep_newest}`)
  const used = lastUse(tag)
  const what = used === tag.pushed_at ? 'pushed' : 'pulled'
  if (keep_days !== null && at.getTime() - used.getTime() < keep_days * dayMs)
    return stays('recent', () => `It was ${what} within ${daysWords(keep_days)}`)
  const why = () => {
    const days = daysWords(Math.floor((at.getTime() - used.getTime()) / dayMs))
    const reasons = [
      ...(keep_newest === null ? [] : [`${ordinal(place + 1)} newest of ${of}; ${keep_newest} ${keep_newest === 1 ? 'is' : 'are'} kept`]),
      ...(keep_days === null ? [] : [`it was last ${what} ${days} ago`]),
    ].join(', and ')
    return reasons.charAt(0).toUpperCase() + reasons.slice(1)
  }
  return { goes: true, code: 'old', why }
}

const endings: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' }
const places = new Intl.PluralRules('en', { type: 'ordinal' })
const ordinal = (place: number) => `${place}${endings[places.select(place)] ?? 'th'}`

function judgeBelonging(standing: Standing, tag: StandingTag, imageStays: boolean): Verdict {
  const fixed = whyFixed(tag) ?? whyNeeded(standing, tag, true)
  if (fixed && fixed.code !== 'unknown') return { goes: false, code: fixed.code, why: () => fixed.why }
  return imageStays
    ? { goes: false, code: 'belongs', why: () => 'It belongs to an image that is kept' }
    : { goes: true, code: 'follows', why: () => 'It belongs to an image that is deleted' }
}

/** Images without a tag that nobody asked for in long. */
function untagged(standing: Standing, { untagged_days }: RetentionRule, at: Date): string[] {
  if (untagged_days === null) return []
  const before = at.getTime() - untagged_days * dayMs
  return withoutTag(standing).filter((digest) => lastUse(standing.manifests.get(digest)!).getTime() < before)
}

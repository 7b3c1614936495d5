import type { JudgedTag, RetentionRule } from '@masthead/contract/registry/retention'

const counted = (count: number, noun: string) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

/** A rule in a line. */
export function ruleWords({ keep_newest, keep_days, keep_like, untagged_days }: RetentionRule): string {
  const kept = [
    ...(keep_newest === null ? [] : [`the newest ${keep_newest.toLocaleString('en')}`]),
    ...(keep_days === null ? [] : [`those pushed or pulled within ${counted(keep_days, 'day')}`]),
    ...keep_like.map((pattern) => pattern),
  ]
  const tags = keep_newest === null && keep_days === null ? 'Keeps all tags' : `Keeps ${kept.join(', ')}`
  return untagged_days === null ? `${tags}.` : `${tags}. Images without a tag are deleted after ${counted(untagged_days, 'day')}.`
}

/** Why tags stay, for a count of them. */
export const codeWords: Record<JudgedTag['code'], string> = {
  protected: 'protected',
  immutable: 'immutable',
  deployed: 'deployed on devices',
  fleet: 'needed by a fleet',
  like: 'of a name that is kept',
  newest: 'among the newest',
  recent: 'pushed or pulled lately',
  belongs: 'of an image that is kept',
  untouched: 'outside the rule',
  old: 'no condition of the rule keeps it',
  follows: 'of an image that is deleted',
}

import type { BulkPreview, LeftReason } from '@masthead/contract/assets/bulk'
import type { BulkAction } from '@masthead/contract/assets/bulk-action'

const number = (count: number) => count.toLocaleString('en')
/** "1 SIM", "1,204 assets". */
export const countOf = (count: number, noun: string) => `${number(count)} ${noun}${count === 1 ? '' : 's'}`

type Words = { label: string; noun: 'SIM' | 'asset'; will: string; doing: string; done: string; already: string }

/** The words of each action: its button, what it is of, and its outcome before, while and after it is done. */
export const actionWords: Record<BulkAction, Words> = {
  add_tags: {
    label: 'Add tags',
    noun: 'asset',
    will: 'Will be tagged',
    doing: 'Tagging assets',
    done: 'Tagged',
    already: 'Already tagged',
  },
  remove_tags: {
    label: 'Remove tags',
    noun: 'asset',
    will: 'Tag will be removed',
    doing: 'Removing tags',
    done: 'Tag removed',
    already: 'Do not have these tags',
  },
  activate_sim: {
    label: 'Activate SIMs',
    noun: 'SIM',
    will: 'Will be activated',
    doing: 'Activating SIMs',
    done: 'Activated',
    already: 'Already active',
  },
  deactivate_sim: {
    label: 'Deactivate SIMs',
    noun: 'SIM',
    will: 'Will be deactivated',
    doing: 'Deactivating SIMs',
    done: 'Deactivated',
    already: 'Already inactive',
  },
  set_network_group: {
    label: 'Set network group',
    noun: 'SIM',
    will: 'Will be moved',
    doing: 'Moving SIMs',
    done: 'Moved',
    already: 'Already in this group',
  },
}

const reasons: Record<Exclude<LeftReason, 'already'>, string> = {
  no_sim: 'No SIM',
  terminated: 'Terminated permanently',
  inventory: 'SIM not registered yet',
  too_many_tags: 'More than 50 tags on one',
  last_tag: 'Last of your tags on it',
  gone: 'No longer there',
  not_allowed: 'No longer allowed',
}

/** Why assets are left as they are. */
export const reasonWords = (action: BulkAction, reason: LeftReason): string =>
  reason === 'already' ? actionWords[action].already : reasons[reason]

export type Line = { key: string; words: string; count: number; left: boolean }

/** An outcome line by line: how many are changed, how many of those stay blocked, and how many are left, by reason. */
export function linesOf(action: BulkAction, { changed, still_blocked, left }: Omit<BulkPreview, 'total'>, done: boolean): Line[] {
  const { will, done: did } = actionWords[action]
  return [
    { key: 'changed', words: done ? did : will, count: changed, left: false },
    ...(still_blocked > 0 ? [{ key: 'blocked', words: 'Of these, still blocked', count: still_blocked, left: false }] : []),
    ...left.map(({ reason, count }) => ({ key: reason, words: reasonWords(action, reason), count, left: true })),
  ]
}

/** What was done, for a toast: "Deactivated 3 SIMs", "Tagged 12 assets". */
export function doneWords(action: BulkAction, changed: number): string {
  const { done, noun } = actionWords[action]
  return action === 'remove_tags' ? `Removed tags from ${countOf(changed, noun)}` : `${done} ${countOf(changed, noun)}`
}

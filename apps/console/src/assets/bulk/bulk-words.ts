import type { BulkChange, BulkPreview, LeftReason } from '@masthead/contract/assets/bulk/bulk'
import type { BulkAction } from '@masthead/contract/assets/bulk/bulk-action'
import { leftWords } from '@masthead/contract/assets/bulk/left-words'

const number = (count: number) => count.toLocaleString('en')
/** "1 SIM", "1,204 assets". */
export const countOf = (count: number, noun: string) => `${number(count)} ${noun}${count === 1 ? '' : 's'}`

type Words = { label: string; noun: 'SIM' | 'asset'; will: string; doing: string; done: string; already: string }

const limits = { noun: 'SIM', already: 'Have this limit already' } as const

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
  standby_sim: {
    label: 'Put on standby',
    noun: 'SIM',
    will: 'Will be on standby',
    doing: 'Putting SIMs on standby',
    done: 'Put on standby:',
    already: 'Already on standby',
  },
  ready_sim: {
    label: 'Set to ready',
    noun: 'SIM',
    will: 'Will be ready',
    doing: 'Setting SIMs to ready',
    done: 'Set to ready:',
    already: 'Already ready',
  },
  terminate_sim: {
    label: 'Terminate SIMs',
    noun: 'SIM',
    will: 'Will be terminated for ever',
    doing: 'Terminating SIMs',
    done: 'Terminated',
    already: 'Already terminated',
  },
  set_limit: { label: 'Set data limit', will: 'Will have this limit', doing: 'Setting limits', done: 'Limit set:', ...limits },
  raise_limit: { label: 'Raise data limit', will: 'Will be raised', doing: 'Raising limits', done: 'Limit raised:', ...limits },
  imei_lock: {
    label: 'IMEI lock',
    noun: 'SIM',
    will: 'Will have this lock',
    doing: 'Setting IMEI locks',
    done: 'IMEI lock set:',
    already: 'Have this lock already',
  },
  csv: {
    label: 'Change by file',
    noun: 'asset',
    will: 'Will be changed',
    doing: 'Changing assets by a file',
    done: 'Changed',
    already: 'As it should be already',
  },
  undo: {
    label: 'Undo',
    noun: 'asset',
    will: 'Will be as before',
    doing: 'Undoing the change',
    done: 'Undone:',
    already: 'As it should be already',
  },
  set_network_group: {
    label: 'Set network group',
    noun: 'SIM',
    will: 'Will be moved',
    doing: 'Moving SIMs',
    done: 'Moved',
    already: 'Already in this group',
  },
  reset_sim: {
    label: 'Reset connectivity',
    noun: 'SIM',
    will: 'Will be cut and attach anew',
    doing: 'Cutting sessions',
    done: 'Connectivity reset:',
    already: 'No session is open',
  },
  switch_on: {
    label: 'Switch on assets',
    noun: 'asset',
    will: 'Will be switched on',
    doing: 'Switching on assets',
    done: 'Switched on',
    already: 'Already on',
  },
  switch_off: {
    label: 'Switch off assets',
    noun: 'asset',
    will: 'Will be switched off',
    doing: 'Switching off assets',
    done: 'Switched off',
    already: 'Already off',
  },
  update_core: {
    label: 'Update CORE software',
    noun: 'asset',
    will: 'Will be asked to update',
    doing: 'Asking devices to update',
    done: 'Asked to update:',
    already: 'Asked already',
  },
  configure_core: {
    label: 'Configure CORE devices',
    noun: 'asset',
    will: 'Will be sent the change',
    doing: 'Changing configurations',
    done: 'Configuration changed:',
    already: 'Configured so already, or the change is on its way',
  },
  update_agent: {
    label: 'Update agents',
    noun: 'asset',
    will: 'Will be asked to update',
    doing: 'Asking devices to update',
    done: 'Asked to update:',
    already: 'No newer agent for them',
  },
  release: {
    label: 'Hand over assets',
    noun: 'asset',
    will: 'Will leave your account',
    doing: 'Handing over assets',
    done: 'Handed over',
    already: 'Left your account already',
  },
}

type Kind = Pick<BulkChange, 'action' | 'to'>

/** The words of a change. Assets that went back to stock were handed over to nobody. */
export const wordsOf = ({ action, to }: Kind): Words => ({
  ...actionWords[action],
  ...(action === 'release' && to === null && { doing: 'Giving assets back to stock', done: 'Back in stock:' }),
})

/** They take service away, or the asset. */
export const dangers: readonly BulkAction[] = ['deactivate_sim', 'switch_off', 'release', 'terminate_sim']

/** Why assets are left as they are. */
export const reasonWords = (action: BulkAction, reason: LeftReason): string =>
  reason === 'already' ? actionWords[action].already : leftWords(reason, action === 'csv')

export type Line = { key: string; words: string; count: number; left: boolean }

/** An outcome line by line: how many are changed, how many of those stay blocked, and how many are left, by reason. */
export function linesOf(kind: Kind, { changed, still_blocked, left, leaving, held }: Omit<BulkPreview, 'total'>, done: boolean): Line[] {
  const { will, done: did } = wordsOf(kind)
  return [
    { key: 'changed', words: done ? did.replace(/:$/, '') : will, count: changed, left: false },
    ...(still_blocked > 0 ? [{ key: 'blocked', words: 'Of these, still blocked', count: still_blocked, left: false }] : []),
    ...(leaving ? leavingLines(leaving) : []),
    ...(held ? heldLines(held) : []),
    ...left.map(({ reason, count }) => ({ key: reason, words: reasonWords(kind.action, reason), count, left: true })),
  ]
}

const leavingLines = ({ sims, in_pools, own_limits, fees_charged }: NonNullable<BulkPreview['leaving']>): Line[] =>
  (
    [
      ['sims', 'SIMs in them', sims],
      ['in_pools', 'SIMs that leave a data pool', in_pools],
      ['own_limits', 'SIMs that lose a data limit of their own', own_limits],
      ['fees_charged', 'SIMs whose fee for this month is charged and stays so', fees_charged],
    ] as const
  ).flatMap(([key, words, count]) => (count > 0 ? [{ key, words, count, left: false }] : []))

const heldLines = ({ cut, blocked, freed, wrong_device, device_freed }: NonNullable<BulkPreview['held']>): Line[] =>
  (
    [
      ['cut', 'Of these, cut: the group does not allow their network', cut],
      ['reached', 'Of these, blocked at once: they have reached the limit', blocked],
      ['wrong_device', 'Of these, blocked at once: in a device that is not accepted', wrong_device],
      ['freed', 'Of these, no longer blocked for their data limit', freed],
      ['device_freed', 'Of these, no longer blocked: their device is accepted from now on', device_freed],
    ] as const
  ).flatMap(([key, words, count]) => (count > 0 ? [{ key, words, count, left: false }] : []))

/** What was done, for a toast: "Deactivated 3 SIMs", "Tagged 12 assets". */
export function doneWords(kind: Kind, changed: number): string {
  const { done, noun } = wordsOf(kind)
  return kind.action === 'remove_tags' ? `Removed tags from ${countOf(changed, noun)}` : `${done} ${countOf(changed, noun)}`
}

/** Of a change in a list: how far it is; of one that has ended what it was done with, and how many it left. */
export function progressWords({ finished_at, done, total, left, tags, network_group, to }: BulkChange): string {
  if (!finished_at) return `${number(done)} of ${number(total)}`
  const stayed = left.reduce((sum, { count }) => sum + count, 0)
  const given = [...tags.map(({ name }) => name), network_group?.name, to].filter(Boolean).join(', ')
  return [given, stayed > 0 && `${number(stayed)} stayed as ${stayed === 1 ? 'it was' : 'they were'}`].filter(Boolean).join('; ')
}

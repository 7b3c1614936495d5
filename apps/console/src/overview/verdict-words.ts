import type { Reply } from '@masthead/contract/kernel/operation'
import { formatMoment } from '@masthead/contract/kernel/time'
import type { getVerdict } from '@masthead/contract/overview/glance-operations'

export type Verdict = Reply<typeof getVerdict>

const count = (value: number) => value.toLocaleString('en')
const plural = (value: number) => (value === 1 ? 'SIM' : 'SIMs')

/** Whether fewer work than is usual; null where nothing is known to compare with. */
export const isFewer = ({ works, usual }: Verdict): boolean | null => (works === null || !usual ? null : works < usual.from)

/** The one sentence: how many of the SIMs that should work do. */
export function headline(verdict: Verdict): string {
  const { should, works } = verdict
  if (should === 0) return 'No SIM should work now.'
  if (works === null) return `${count(should)} ${plural(should)} should work. Whether they do is not known yet.`
  const fewer = isFewer(verdict)
  const against = fewer === null ? '' : fewer ? ', fewer than usual' : ', as usual'
  return works === should && should > 1
    ? `All ${count(should)} SIMs that should work do${against}.`
    : `${count(works)} of ${count(should)} ${plural(should)} that should work ${works === 1 ? 'does' : 'do'}${against}.`
}

/** What is usual at this hour. */
export function usualWords(verdict: Verdict): string {
  const { works, usual } = verdict
  if (works === null)
    return 'The first hour of an account is judged six minutes after it is over; a server that was just started needs a minute more.'
  if (!usual) return 'What is usual at this hour is known after two weeks.'
  const range = usual.from === usual.to ? `${count(usual.from)} is usual` : `${count(usual.from)} to ${count(usual.to)} is usual`
  return `On this weekday at this hour, ${range}.`
}

/** Why the others do not: how many, what they are, and the list that shows them. */
export const reasonsOf = ({ blocked, refused, silent }: Verdict) =>
  (
    [
      { state: 'refused', count: refused, to: '/assets?attention=refused' },
      { state: 'blocked', count: blocked, to: '/assets?sim_status=blocked&state=active' },
      { state: 'silent', count: silent ?? 0, to: '/assets?attention=quiet' },
    ] as const
  ).filter((reason) => reason.count > 0)

/** Of SIMs that were never seen; null where there are none. */
export const unseenWords = ({ unseen }: Verdict): string | null =>
  unseen ? `${count(unseen)} ${unseen === 1 ? 'was' : 'were'} never seen.` : null

/** Of SIMs that a feed reports of, up to when it has; null where there are none. */
export function awaitedWords({ awaited }: Verdict): string | null {
  if (!awaited) return null
  const are = awaited.sims === 1 ? '1 SIM is' : `${count(awaited.sims)} SIMs are`
  return `${are} reported by a feed, which has come to ${formatMoment(awaited.until)}: whether ${awaited.sims === 1 ? 'it is' : 'they are'} silent since is not known.`
}
